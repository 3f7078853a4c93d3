// What the colours of states tell, and the key to it.

const VIRIDIS = ["#440154", "#482475", "#414487", "#355f8d", "#2a788e", "#21908d", "#22a884", "#42be71", "#7ad151", "#bddf26", "#fde725"];
// The bright end of viridis is left to the start, which is yellow.
const BRIGHTEST = 0.88;
const START = "#f0e442";
const GOAL = "#cc3311";
const NO_WAY = "#777777";
const UNVISITED = "#cfd4d9";
const TRAP = "#e69f00";
const HARMLESS = "#a9c7dd";
const OF_CONDITIONS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

// Colours are numbers 0xrrggbb, as the drawing takes them.
const rgb = (hex) => parseInt(hex.slice(1), 16);
const [START_RGB, GOAL_RGB, NO_WAY_RGB] = [START, GOAL, NO_WAY].map(rgb);
const css = (colour) => `#${colour.toString(16).padStart(6, "0")}`;

function viridis(share) {
  const place = between(0, share, 1) * BRIGHTEST * (VIRIDIS.length - 1);
  const below = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return mixed(rgb(VIRIDIS[below]), rgb(VIRIDIS[below + 1]), place - below);
}

function mixed(a, b, share) {
  const channel = (shift) => {
    const [from, to] = [(a >> shift) & 255, (b >> shift) & 255];
    return Math.round(from + share * (to - from)) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

// A bar of colours for the key, from the first share to the last.
function ramp(colour, low, high) {
  const stops = Array.from({ length: 9 }, (_, at) => css(colour(at / 8)));
  const bar = make("span", { className: "map-ramp" });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return make("li", {}, `${low} `, bar, ` ${high}`);
}

function entry(colour, text, form = "disc") {
  const mark = make("span", { className: `map-mark map-mark-${form}` });
  mark.style.background = typeof colour === "number" ? css(colour) : colour;
  return make("li", {}, mark, text);
}

// Each has a name for the menu, whether a level can be coloured so, the colour of a state, and the key to it. Of those that
// lift them, visited states are larger than others.
const COLOURINGS = [
  {
    name: "Distance",
    fits: () => true,
    of: (level) => {
      const shades = Array.from({ length: level.farthest + 1 }, (_, distance) => viridis(distance / Math.max(level.farthest, 1)));
      return (state) => shades[level.distances[state] - 1];
    },
    key: (level) => (level.farthest ? [ramp(viridis, "distance 0", level.farthest)] : []),
  },
  {
    name: "Visits",
    lifts: true,
    fits: (level) => level.mostVisits > 0,
    of: (level) => {
      const most = Math.log(level.mostVisits + 1);
      return (state) => (level.visits[state] ? viridis(1 - Math.log(level.visits[state] + 1) / most) : rgb(UNVISITED));
    },
    key: (level) => [entry(UNVISITED, "not visited"), ramp((share) => viridis(1 - share), "1", `${counted(level.mostVisits, "visit")}`)],
  },
  {
    name: "Value",
    fits: (level) => Boolean(level.values),
    of: (level) => {
      const least = Math.log(level.leastValue) || -1;
      return (state) => viridis(level.values[state] ? Math.log(level.value(state)) / least : 1);
    },
    key: (level) => [ramp((share) => viridis(1 - share), `probability that random moves solve it: ${probability(level.leastValue)}`, "1")],
  },
  {
    name: "Dead ends",
    fits: () => true,
    of: (level) => (state) => (level.isComplete && level.traps[state] ? rgb(TRAP) : rgb(HARMLESS)),
    key: (level) => (level.hasDeadEnds ? [entry(TRAP, "a move leads to a dead end"), entry(HARMLESS, "no move does")] : [entry(HARMLESS, "there are no dead ends")]),
  },
  {
    name: "Condition",
    lifts: true,
    fits: (level) => level.conditions.length > 1 && level.mostVisits > 0,
    of: (level) => byCondition(level),
    key: (level) => conditionKey(level),
  },
];

// The colour of the condition that visited a state more often than its share of all visits; of two conditions a shade
// between their colours.
function byCondition(level) {
  const all = level.conditions.map((_, at) => Array.from(level.visitsBy.values()).reduce((sum, counts) => sum + counts[at], 0));
  return (state) => {
    const counts = level.visitsBy.get(state);
    if (!counts) return rgb(UNVISITED);
    const rates = all.map((n, at) => (n ? counts[at] / n : 0));
    const sum = rates.reduce((a, b) => a + b, 0);
    if (sum === 0) return rgb(UNVISITED);
    if (rates.length === 2) return between2(rates[1] / sum);
    return rgb(OF_CONDITIONS[rates.indexOf(Math.max(...rates)) % OF_CONDITIONS.length]);
  };
}

function between2(share) {
  const middle = 0xb8a9b5;
  const [first, second] = OF_CONDITIONS.map(rgb);
  return share < 0.5 ? mixed(first, middle, 2 * share) : mixed(middle, second, 2 * share - 1);
}

function conditionKey(level) {
  const names = level.conditions;
  if (names.length === 2) return [entry(UNVISITED, "not visited"), ramp(between2, `visited in ${names[0]}`, names[1])];
  return [entry(UNVISITED, "not visited"), ...names.map((name, at) => entry(OF_CONDITIONS[at % OF_CONDITIONS.length], `most in ${name}`))];
}
