// Small tools of the interactive map: elements, words and numbers.

function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && !key.includes("-")) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
const INK = "#1c2126";
const LINES = "#595959";

function draw(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

const button = (text, action, properties = {}) => {
  const element = make("button", { type: "button", ...properties }, text);
  element.addEventListener("click", action);
  return element;
};
const labelled = (text, control) => make("label", {}, make("span", {}, text), control);
const select = (options, action) => {
  const element = make("select", {}, ...options.map(([text, value]) => make("option", { value }, text)));
  element.addEventListener("change", action);
  return element;
};
const count = (n) => n.toLocaleString("en");
const counted = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;
const seconds = (time) => (time === null ? "no time" : `${time.toFixed(time < 9.95 ? 2 : 1)} s`);
// A probability with two digits, as 0.027 or 3.7 × 10⁻¹².
function probability(value) {
  if (value === 0 || value >= 0.001) return String(Number(value.toPrecision(2)));
  const [digits, exponent] = value.toExponential(1).split("e-");
  return `${digits} × 10⁻${Array.from(exponent, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
const between = (low, value, high) => Math.min(Math.max(value, low), high);
