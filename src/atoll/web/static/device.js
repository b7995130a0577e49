// Fills in the code that stands behind the address, and takes it out of the address and the history.
const code = location.hash.slice(1);
if (code) {
  document.getElementById("code").value = code;
  history.replaceState(null, "", location.pathname);
}
