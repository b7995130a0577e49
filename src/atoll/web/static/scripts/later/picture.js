// The picture of a page that has all its styles and drawings within: an SVG image holds the page, a canvas has it drawn.
const WIDE = 1440;
const HIGH = 1040; // at most
const EDGE = 16; // pixels below what is drawn

/** The page at an address as a PNG. */
export async function pictureOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  let styles = "";
  const html = (await answer.text()).replace(/<style>([^]*?)<\/style>/g, (_, css) => ((styles += css), "")); // this document allows none within it
  const page = new DOMParser().parseFromString(html, "text/html");
  const content = new XMLSerializer().serializeToString(page.documentElement);
  const escaped = styles.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${HIGH}"><style>${escaped}</style><foreignObject width="100%" height="100%">${content}</foreignObject></svg>`;
  const image = new Image(WIDE, HIGH);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`; // of another kind of address the canvas would give nothing away
  await image.decode();
  const drawn = canvasOf(image, HIGH);
  const canvas = canvasOf(drawn, lastRow(drawn) + EDGE);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

function canvasOf(image, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: Math.min(height, HIGH) });
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas;
}

/** The last row with something other than the ground at the bottom. */
function lastRow(canvas) {
  const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, WIDE, HIGH).data.buffer);
  const ground = pixels[pixels.length - 1];
  return Math.ceil((pixels.findLastIndex((pixel) => pixel !== ground) + 1) / WIDE);
}
