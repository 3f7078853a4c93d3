// The interactive state-space maps of a page: the levels of #state-map-data, drawn in #state-map. Without this script the
// page shows a sentence that points to the figures.

const root = document.getElementById("state-map");
const MOVE_MEANINGS = {
  move: "Legal moves, the best first; press one to make it",
  "to go": "Distance after the move",
  regret: "distance after + cost − distance before; 0 for an optimal move",
  made: "How often the recorded attempts made this move",
};
// States of which all states around them are drawn, in moves.
const REACHES = [["of the chosen state", 1], ["up to 2 moves away", 2], ["up to 3 moves away", 3]];

// The tools above and below the map, the map, and the panel of the chosen state.
class Widget {
  constructor(data) {
    this.data = data;
    this.board = make("div", { className: "map-board" });
    this.facts = make("p", { className: "map-facts", "aria-live": "polite" });
    this.notation = make("code");
    this.notationLine = make("p", { className: "map-notation", hidden: true }, "State: ", this.notation);
    this.moves = make("div", { className: "map-moves", tabIndex: 0, role: "region", "aria-label": "Legal moves" });
    this.plot = make("div", {
      className: "map-plot", tabIndex: 0, role: "application",
      "aria-label": "Map of states. Left and right arrow: nearer to and farther from the goal; up and down: states of the same distance; plus, minus and 0: zoom.",
    });
    this.tip = make("div", { className: "map-tip", hidden: true, "aria-hidden": "true" });
    this.key = make("ul", { className: "map-key" });
    this.status = make("p", { className: "map-shown" });
    this.drawing = new Drawing(this.plot, (chosen) => this.choose(chosen), (hovered) => this.tell(hovered));
    this.plot.append(this.tip);
    this.makeTools();
    this.makeReplay();
    root.append(make("div", { className: "map-widget" },
      this.tools,
      make("div", { className: "map-body" },
        make("div", { className: "map-left" }, this.plot, this.key, this.replayPart),
        make("div", { className: "map-panel", role: "region", "aria-label": "Chosen state" },
          this.board, this.facts, this.notationLine, this.moves)),
      this.status));
    this.plot.addEventListener("keydown", (event) => this.press(event));
  }

  makeTools() {
    const { drawing } = this;
    this.levelSelect = select(this.data.levels.map((name, index) => [name, index]), () => this.showLevel(Number(this.levelSelect.value)));
    this.colourSelect = select([], () => this.recolour());
    this.reachSelect = select(REACHES, () => {
      drawing.reach = Number(this.reachSelect.value);
      drawing.draw();
    });
    const box = (text, name, act) => {
      const input = make("input", { type: "checkbox" });
      input.addEventListener("change", () => {
        drawing[name] = input.checked;
        act();
      });
      return make("label", { className: "map-check" }, input, make("span", {}, text));
    };
    this.playBoxes = [
      box("Size by visits", "byVisits", () => drawing.recolour()),
      box("Traffic", "traffic", () => { this.showKey(); drawing.draw(); }),
    ];
    const zoom = (factor) => drawing.zoom(factor, this.state === null ? [0, 0] : this.level.place(this.state));
    this.tools = make("div", { className: "map-tools", role: "group", "aria-label": "Map" },
      labelled("Level", this.levelSelect),
      labelled("Colour", this.colourSelect),
      labelled("Moves", this.reachSelect),
      ...this.playBoxes,
      make("span", { className: "map-group" },
        button("+", () => zoom(0.6), { ariaLabel: "Zoom in", title: "Zoom in" }),
        button("−", () => zoom(1 / 0.6), { ariaLabel: "Zoom out", title: "Zoom out" }),
        button("Whole map", () => drawing.setView(drawing.whole))),
      make("span", { className: "map-group" },
        button("Start", () => this.choose(this.level.start ?? 0), { title: "Go to the state in which the level starts" }),
        button("Back", () => this.goBack(), { title: "Go to the state before" })));
    this.zoom = zoom;
  }

  makeReplay() {
    const replay = new Replay(() => this.showStep(), () => this.showPlaying());
    const to = (step) => { replay.stop(); replay.go(step()); };
    this.attemptSelect = select([], () => this.loadAttempt(this.attemptSelect.value));
    this.playButton = button("Play", () => (replay.isPlaying ? replay.stop() : replay.play()), { className: "map-play" });
    this.stepBack = button("‹", () => to(() => replay.step - 1), { ariaLabel: "One step back", title: "One step back" });
    this.stepOn = button("›", () => to(() => replay.step + 1), { ariaLabel: "One step on", title: "One step on" });
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, step: 1, ariaLabel: "Step of the attempt" });
    this.slider.addEventListener("input", () => to(() => Number(this.slider.value)));
    const speed = select(SPEEDS.map((one) => [`${one} ×`, one]), () => { replay.speed = Number(speed.value); });
    const pause = select(PAUSES.map((one) => [one === Infinity ? "as it was" : `${one} s`, one]), () => { replay.longest = Number(pause.value); });
    [speed.value, pause.value] = ["1", "2"];
    this.stepText = make("p", { className: "map-step", "aria-live": "polite" });
    this.replayPart = make("div", { className: "map-replay", role: "group", ariaLabel: "Replay of a recorded attempt" },
      make("div", { className: "map-tools" }, labelled("Attempt", this.attemptSelect), labelled("Speed", speed), labelled("Longest pause", pause)),
      make("div", { className: "map-run" }, make("span", { className: "map-group" }, this.stepBack, this.playButton, this.stepOn), this.slider),
      this.stepText);
    this.replay = replay;
  }

  /* A level */

  // Draws the picture of a level at once, and adds its moves and boards when they are unpacked.
  async showLevel(index) {
    this.wanted = index;
    this.replay.load(null);
    for (const name of ["level", "state", "drawn"]) delete this.plot.dataset[name];
    const level = await Level.open(index);
    if (this.wanted !== index) return;
    Object.assign(this, { level, state: null, before: null, past: [] });
    this.drawing.colouring = this.fillColours();
    this.drawing.show(level);
    this.showStatus();
    this.showKey();
    const hasPlay = level.attempts.length > 0;
    for (const part of [...this.playBoxes, this.replayPart]) part.hidden = !hasPlay;
    this.facts.textContent = "Reading the moves and boards …";
    this.board.replaceChildren();
    this.moves.replaceChildren();
    this.notationLine.hidden = true;
    // One picture before the rest is read, which takes a moment where there are many states.
    await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
    this.plot.dataset.drawn = Math.round(performance.now());
    await level.complete();
    if (this.wanted !== index) return;
    this.drawing.loadLines();
    // Which states are traps is known by the moves.
    if (this.drawing.colouring.name === "Dead ends") this.drawing.recolour();
    this.fillAttempts();
    this.visit(level.start ?? 0);
    this.plot.dataset.level = level.level;
  }

  fillColours() {
    const { level, drawing } = this;
    const fitting = COLOURINGS.filter((one) => one.fits(level));
    const chosen = fitting.includes(drawing.colouring) ? drawing.colouring : COLOURINGS[0];
    this.colourSelect.replaceChildren(...fitting.map(({ name }) => make("option", { value: name, selected: name === chosen.name }, name)));
    return chosen;
  }

  recolour() {
    this.drawing.colouring = COLOURINGS.find((one) => one.name === this.colourSelect.value);
    this.drawing.recolour();
    this.showKey();
  }

  showStatus() {
    const { level, data } = this;
    const shown = level.n < level.n_states
      ? `${count(level.n)} of ${counted(level.n_states, "state")} shown: those that people visited or that lie on shortest solutions, and states beside them.`
      : `All ${counted(level.n, "state")} shown.`;
    const others = data.n_left_out ? ` ${counted(data.n_left_out, "further level")} would make this page too large.` : "";
    this.status.textContent = `${shown}${others} Drag to move the map; Ctrl and wheel, two fingers, or the buttons, to zoom. Press a state to see its board.`;
  }

  showKey() {
    const { level, drawing } = this;
    const entries = [
      level.start === null ? null : entry(START, "start", "start"),
      entry(drawing.colouring.name === "Distance" ? GOAL : "#fff", "goal", "goal"),
      ...drawing.colouring.key(level),
      level.hasDeadEnds ? entry(NO_WAY, "no path to a goal") : null,
      entry("transparent", "optimal move of the chosen state", "optimal"),
      entry("transparent", "other move", "other"),
      drawing.traffic ? entry("transparent", "optimal moves that people made", "flow") : null,
      drawing.traffic ? entry("transparent", "their errors", "error") : null,
      level.attempts.length ? entry("transparent", "trajectory of the attempt", "trail") : null,
    ];
    this.key.replaceChildren(...entries.filter(Boolean));
  }

  /* A state */

  choose(state) {
    this.replay.stop();
    if (this.level.isComplete) this.visit(state);
  }

  goBack() {
    this.replay.stop();
    const last = this.past.pop();
    if (last !== undefined) this.visit(last, null, false);
  }

  // Goes to a state; `from` is the one that a move led from.
  visit(next, from = null, isRemembered = true) {
    if (isRemembered && this.state !== null && this.state !== next) this.past.push(this.state);
    this.state = next;
    this.before = from;
    this.showState();
    this.drawing.reveal(next);
  }

  point() {
    const { replay } = this;
    this.drawing.way = replay.attempt ? replay.attempt.states.slice(0, replay.step + 1) : [];
    this.drawing.state = this.state;
    this.drawing.draw();
  }

  // What is known of a state, in words: first its place, then the rest.
  describe(state) {
    const { level } = this;
    const distance = level.distance(state);
    const names = [state === level.start ? "Start" : "", level.isGoal(state) ? "Goal" : ""].filter(Boolean).join(", ");
    const unit = distance === 1 ? level.unit.replace(/s$/, "") : level.unit;
    const place = distance === null ? "No goal can be reached" : `Distance ${distance} ${unit}`;
    const value = level.value(state);
    const rest = [
      value === null ? null : `random moves, 10 on average, come to a goal with a probability of ${probability(value)}`,
      level.attempts.length ? this.visitWords(state) : null,
    ];
    return [names ? `${names}. ${place}` : place, rest.filter(Boolean)];
  }

  visitWords(state) {
    const { level } = this;
    if (!level.visits[state]) return "not visited";
    const counts = level.visitsBy.get(state);
    const by = level.conditions.map((name, at) => `${count(counts[at])} ${name}`).join(", ");
    return `visited ${counted(level.visits[state], "time")}${level.conditions.length > 1 ? ` (${by})` : ""}`;
  }

  // Tells what lies under the mouse, with its board.
  tell(state) {
    const { level, tip } = this;
    tip.hidden = state === null;
    if (state === null) return;
    const [place, rest] = this.describe(state);
    const picture = level.isComplete && this.plot.clientWidth >= 480 ? [drawBoard(level, level.boardOf(state))] : [];
    tip.replaceChildren(...picture, make("p", {}, make("b", {}, place), ...rest.flatMap((one) => [make("br"), one])));
    const [x, y] = this.drawing.at(level.place(state));
    const [width, height] = [this.plot.clientWidth, this.plot.clientHeight];
    const left = x + 14 + tip.offsetWidth > width ? x - 14 - tip.offsetWidth : x + 14;
    tip.style.left = `${between(0, left, Math.max(width - tip.offsetWidth, 0))}px`;
    tip.style.top = `${between(0, y - tip.offsetHeight / 2, Math.max(height - tip.offsetHeight, 0))}px`;
  }

  showState() {
    const { level, state } = this;
    const moves = level.moves(state);
    const picture = drawBoard(level, level.boardOf(state), this.before === null ? null : level.boardOf(this.before));
    const notation = level.notation(state);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `Board of the state ${notation}`);
    this.board.replaceChildren(picture);
    this.notation.textContent = notation;
    this.notationLine.hidden = !notation;
    const [place, rest] = this.describe(state);
    const nOptimal = moves.filter((move) => move.isOptimal).length;
    const legal = `${counted(moves.length, "legal move")}${level.distance(state) ? `, ${nOptimal} of them optimal` : ""}`;
    this.facts.replaceChildren(make("b", {}, place), `; ${[legal, ...rest].join("; ")}.`);
    this.moves.replaceChildren(...(moves.length ? [this.moveTable(moves)] : []));
    this.plot.dataset.state = state;
    this.point();
  }

  moveTable(moves) {
    const headings = ["move", "to go", "regret", "quality", ...(this.level.attempts.length ? ["made"] : [])];
    const isNumber = (one) => ["to go", "regret", "made"].includes(one);
    const cells = headings.map((one) => make("th", { scope: "col", title: MOVE_MEANINGS[one] ?? "", className: isNumber(one) ? "n" : "" }, one));
    return make("table", {}, make("caption", {}, "Legal moves"), make("thead", {}, make("tr", {}, ...cells)),
      make("tbody", {}, ...moves.map((move) => this.moveRow(move))));
  }

  moveRow(move) {
    const { level, state } = this;
    const go = button(move.notation.replace("-", "−"), () => {
      this.replay.stop();
      this.visit(move.target, state);
    });
    if (move.target === null) Object.assign(go, { disabled: true, title: "This state is not on the map" });
    const cell = (text, isNumeric = false) => make("td", { className: isNumeric ? "n" : "" }, text);
    return make("tr", { className: move.isOptimal ? "map-optimal" : "" },
      make("td", {}, go),
      cell(move.after === null ? "none" : String(move.after), true),
      cell(move.regret === null ? "" : String(move.regret), true),
      cell(move.isOptimal ? "optimal" : qualityOf(level.distance(state), move.after)),
      ...(level.attempts.length ? [cell(count(move.chosen), true)] : []));
  }

  /* An attempt */

  fillAttempts() {
    const { level } = this;
    const groups = new Map();
    level.attempts.forEach((one, index) => {
      const name = `${one.participant}${one.condition ? ` (${one.condition})` : ""}`;
      const session = one.session === "1" ? "" : `session ${one.session}, `;
      const time = one.times.includes(null) ? "" : `, ${one.times.reduce((sum, each) => sum + each, 0).toFixed(0)} s`;
      const text = `${one.participant}, ${session}attempt ${one.attempt}: ${counted(one.times.length, "step")}${time}, ${one.solved ? "solved" : "not solved"}`;
      const list = groups.get(name) ?? [];
      list.push(make("option", { value: index }, text));
      groups.set(name, list);
    });
    const parts = Array.from(groups, ([label, list]) => make("optgroup", { label }, ...list));
    this.attemptSelect.replaceChildren(make("option", { value: "" }, groups.size ? "choose one" : "nobody played this level"), ...parts);
    this.loadAttempt("");
  }

  loadAttempt(value) {
    const { level, replay } = this;
    replay.load(value === "" ? null : level.attempts[Number(value)]);
    const isOff = !replay.attempt;
    for (const control of [this.playButton, this.stepBack, this.stepOn, this.slider]) control.disabled = isOff;
    Object.assign(this.slider, { max: replay.last, value: 0 });
    const some = level.attempts.length < level.n_attempts
      ? ` ${count(level.attempts.length)} of ${counted(level.n_attempts, "attempt")} can be replayed, drawn at random.`
      : "";
    this.stepText.textContent = isOff ? `Choose an attempt to see it move by move, in the time that it took.${some}` : "";
    if (!isOff) replay.go(0);
    else if (this.state !== null) this.point();
  }

  showStep() {
    const { level, replay } = this;
    const { attempt, step, last } = replay;
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
    const [now, earlier] = [attempt.states[step], step ? attempt.states[step - 1] : null];
    const clock = `${replay.elapsed(step).toFixed(1)} of ${replay.elapsed(last).toFixed(1)} s`;
    if (step === 0) {
      this.stepText.textContent = `Before the first of ${counted(last, "step")}; ${clock}.`;
    } else {
      const quality = attempt.qualities[step - 1];
      const words = [level.played[attempt.actions[step - 1]].replace("-", "−"), seconds(attempt.times[step - 1])];
      const isOptimal = now !== null && earlier !== null && level.isOptimal(earlier, now);
      if (quality !== null) words.push(this.data.qualities[quality] + (isOptimal ? " (optimal)" : ""));
      if (now === null) words.push("to a state that is not on the map");
      this.stepText.textContent = `Step ${step} of ${last}: ${words.join(", ")}; ${clock}.`;
    }
    if (now === null) return this.point();
    Object.assign(this, { state: now, before: earlier, past: [] });
    this.showState();
    this.drawing.reveal(now);
  }

  showPlaying() {
    this.playButton.textContent = this.replay.isPlaying ? "Pause" : "Play";
  }

  /* Keys */

  press(event) {
    const { level, state } = this;
    if (event.ctrlKey || event.altKey || event.metaKey || !level?.isComplete || state === null) return;
    const actions = {
      ArrowLeft: () => this.goAlong(-1),
      ArrowRight: () => this.goAlong(1),
      ArrowUp: () => this.goWithin(-1),
      ArrowDown: () => this.goWithin(1),
      "+": () => this.zoom(0.6),
      "-": () => this.zoom(1 / 0.6),
      0: () => this.drawing.setView(this.drawing.whole),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    this.replay.stop();
    actions[event.key]();
  }

  // Makes the best move, or the first of those that lead away from the goal.
  goAlong(way) {
    const { level, state } = this;
    const distance = level.distance(state);
    const moves = level.moves(state).filter((move) => move.target !== null);
    const isAlong = ({ after }) => (way < 0 ? after !== null && after < distance : after === null || after > distance);
    const move = distance === null && way < 0 ? undefined : moves.find(isAlong);
    if (move) this.visit(move.target, state);
  }

  goWithin(way) {
    const layer = this.level.layer(this.level.distance(this.state));
    this.visit(layer[(layer.indexOf(this.state) + way + layer.length) % layer.length]);
  }
}

async function open() {
  const wait = make("p", { className: "map-wait" }, "Preparing the map …");
  root.append(wait);
  try {
    root.classList.add("map-ready");
    const widget = new Widget(JSON.parse(document.getElementById("state-map-data").textContent));
    await widget.showLevel(0);
    wait.remove();
  } catch (error) {
    root.classList.remove("map-ready");
    root.querySelector(".map-widget")?.remove();
    wait.textContent = `This browser cannot show the map (${error.message}).`;
    root.append(wait);
  }
}

if (root) {
  // Maps are unpacked when they come near.
  const watch = new IntersectionObserver((entries) => {
    if (!entries.some((one) => one.isIntersecting)) return;
    watch.disconnect();
    open();
  }, { rootMargin: "600px" });
  watch.observe(root);
}
