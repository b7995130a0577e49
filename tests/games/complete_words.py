"""Words for which a text without a translation is a failure."""

from atoll.text.translation import Translator, read_catalogue


class CompleteWords(Translator):
    """Refuses a text that has no translation."""

    def find(self, text: str) -> str | tuple[str, ...]:
        translated = [package for package in self.packages if text in read_catalogue(package, self.language)]
        assert translated or self.language == "en", f"{text!r} has no translation"
        return super().find(text)
