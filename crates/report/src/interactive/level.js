// The data of a level, which stand in three parts of the page, and what one asks of them.

// Places are whole numbers from 0 to this one.
const MOST_PLACE = 65535;

// Unpacks a part of a level: its head with the arrays of numbers that it lists; see packed.rs.
async function unpack(number, name) {
  const text = atob(document.getElementById(`state-map-${number}-${name}`).textContent);
  const packed = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) packed[at] = text.charCodeAt(at);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const length = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const arrays = {};
  let from = 4 + length;
  for (const [array, width, n] of head.arrays) {
    const [numbers, end] = width === 0 ? smallNumbers(bytes, from, n) : plainNumbers(bytes, from, width, n);
    (arrays[array] ??= []).push(numbers);
    from = end;
  }
  return { head, arrays };
}

function plainNumbers(bytes, from, width, n) {
  const end = from + width * n;
  if (width === 1) return [bytes.subarray(from, end), end];
  const numbers = width === 2 ? new Uint16Array(n) : new Uint32Array(n);
  for (let byte = 0; byte < width; byte += 1) {
    for (let at = 0; at < n; at += 1) numbers[at] |= bytes[from + byte * n + at] << (8 * byte);
  }
  return [numbers, end];
}

function smallNumbers(bytes, from, n) {
  const numbers = new Uint32Array(n);
  let place = from;
  for (let at = 0; at < n; at += 1) {
    let [number, shift, byte] = [0, 0, 0];
    do {
      byte = bytes[place];
      place += 1;
      number |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    numbers[at] = number;
  }
  return [numbers, place];
}

class Level {
  // The picture of a level; its moves and boards come later, when `complete` is called.
  static async open(number) {
    const level = new Level();
    const { head, arrays } = await unpack(number, "picture");
    Object.assign(level, head, { number, n: head.n_shown, layers: new Map() });
    for (const name of ["x", "y", "distance", "goal", "value"]) level[`${name}s`] = arrays[name]?.[0];
    level.takePlay(arrays);
    return level;
  }

  takePlay(arrays) {
    const [visited] = arrays.visited;
    const n = this.conditions.length + 1;
    this.visits = new Uint32Array(this.n);
    this.visitsBy = new Map();
    let state = 0;
    for (let at = 0; at < visited.length; at += 1) {
      state += visited[at];
      const counts = arrays.visits[0].subarray(at * n, (at + 1) * n);
      this.visits[state] = counts.reduce((sum, one) => sum + one, 0);
      this.visitsBy.set(state, counts);
    }
    this.mostVisits = this.visits.reduce((most, one) => Math.max(most, one), 0);
    this.traffic = [];
    this.made = new Map();
    let from = 0;
    arrays.made[0].forEach((times, at) => {
      from += arrays.made_from[0][at];
      const to = arrays.made_to[0][at];
      this.traffic.push({ from, to, times });
      this.made.set(from * this.n + to, times);
    });
  }

  // Reads the moves and the boards.
  async complete() {
    const [moves, boards] = await Promise.all([unpack(this.number, "moves"), unpack(this.number, "boards")]);
    this.takeMoves(moves);
    const { board, shapes, paints, slots, letters } = boards.head;
    Object.assign(this, { board, shapes, paints, slots, letters, slotNumbers: boards.arrays.slot ?? [], notations: boards.arrays.notation[0] });
  }

  // The moves of state `s` are those from `first[s]` to before `first[s + 1]`.
  takeMoves({ head, arrays }) {
    this.kinds = head.kinds;
    const [steps, leads] = [arrays.from[0], arrays.leads[0]];
    const first = new Uint32Array(this.n + 2);
    this.eachMove(steps, leads, (from) => (first[from + 2] += 1));
    for (let state = 0; state < this.n; state += 1) first[state + 2] += first[state + 1];
    this.targets = new Uint32Array(steps.length);
    this.moveKinds = new Uint32Array(steps.length);
    this.eachMove(steps, leads, (from, to, kind) => {
      const place = first[from + 1];
      first[from + 1] += 1;
      this.targets[place] = to;
      this.moveKinds[place] = kind;
    });
    this.first = first.subarray(0, this.n + 1);
  }

  eachMove(steps, leads, take) {
    let at = 0;
    this.kinds.forEach(([, , n], kind) => {
      let [from, lead] = [0, 0];
      for (const end = at + n; at < end; at += 1) {
        from += steps[at];
        lead += (leads[at] >>> 1) ^ -(leads[at] & 1);
        take(from, from + lead, kind);
      }
    });
  }

  get isComplete() {
    return this.targets !== undefined;
  }

  // The place of a state in units of the map: along the axis of distance, and upwards.
  place(state) {
    const [left, right, low, high] = this.frame;
    return [
      left + (this.xs[state] / MOST_PLACE) * (right - left),
      low + (this.ys[state] / MOST_PLACE) * (high - low),
    ];
  }

  // The distance of a state to the goal; null where none can be reached.
  distance(state) {
    return this.distances[state] === 0 ? null : this.distances[state] - 1;
  }

  isGoal(state) {
    return this.goals[state] === 1;
  }

  // The probability that random moves, 10 on average, come to a goal; null where it is not known.
  value(state) {
    if (!this.values) return null;
    return this.values[state] === 0 ? 0 : 10 ** ((1 - this.values[state]) / 1000);
  }

  // The smallest probability above 0 of all states.
  get leastValue() {
    this.greatest ??= this.values.reduce((most, one) => Math.max(most, one), 1);
    return 10 ** ((1 - this.greatest) / 1000);
  }

  notation(state) {
    const bytes = Uint8Array.from({ length: this.letters }, (_, place) => this.notations[place * this.n + state]);
    const end = bytes.indexOf(0);
    return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  // The shapes of the board of a state, as indices into `shapes`.
  boardOf(state) {
    const numbers = this.slotNumbers.map((slot, place) => (slot[state] ? this.slots[place][slot[state] - 1] : null));
    return numbers.filter((number) => number !== null);
  }

  // The legal moves of a state, the best first.
  moves(state) {
    const before = this.distance(state);
    const list = [];
    for (let at = this.first[state]; at < this.first[state + 1]; at += 1) {
      const [notation, cost] = this.kinds[this.moveKinds[at]];
      const [target, after] = this.target(at);
      const regret = before === null || after === null ? null : after + cost - before;
      const chosen = target === null ? 0 : this.made.get(state * this.n + target) ?? 0;
      list.push({ notation, target, after, regret, chosen, isOptimal: regret === 0 });
    }
    return list.sort((a, b) => (a.regret ?? Infinity) - (b.regret ?? Infinity));
  }

  // Where a move leads, and the distance there. Numbers from `n` on are states that are not on the map: n has no
  // distance, n + 1 has distance 0, and so on.
  target(at) {
    const target = this.targets[at];
    if (target < this.n) return [target, this.distance(target)];
    return [null, target === this.n ? null : target - this.n - 1];
  }

  // Whether a move leads from one state to the other.
  leads(from, to) {
    return this.targets.subarray(this.first[from], this.first[from + 1]).includes(to);
  }

  isOptimal(from, to) {
    const [before, after] = [this.distance(from), this.distance(to)];
    return before !== null && after !== null && after < before;
  }

  // The moves between states that are at most so many moves from one, as pairs; no more than `most`.
  around(state, reach, most) {
    const [found, seen] = [[], new Set([state])];
    let front = [state];
    for (let step = 0; step < reach; step += 1) {
      const next = [];
      for (const from of front) {
        for (let at = this.first[from]; at < this.first[from + 1]; at += 1) {
          const to = this.targets[at];
          if (to >= this.n) continue;
          if (found.length === most) return found;
          found.push([from, to]);
          if (!seen.has(to)) next.push(to);
          seen.add(to);
        }
      }
      front = next;
    }
    return found;
  }

  // The states of one distance, from the top of the map downwards.
  layer(distance) {
    if (!this.layers.has(distance)) {
      const [states, key] = [[], distance === null ? 0 : distance + 1];
      for (let state = 0; state < this.n; state += 1) if (this.distances[state] === key) states.push(state);
      states.sort((a, b) => this.ys[b] - this.ys[a] || this.xs[a] - this.xs[b]);
      this.layers.set(distance, states);
    }
    return this.layers.get(distance);
  }

  get hasDeadEnds() {
    return this.distances.includes(0);
  }

  // For each state 1 if a move leads from it to where no goal can be reached, although one can be reached from it.
  get traps() {
    if (!this.trapStates) {
      this.trapStates = new Uint8Array(this.n);
      for (let state = 0; state < this.n; state += 1) {
        if (this.distances[state] === 0) continue;
        for (let at = this.first[state]; at < this.first[state + 1]; at += 1) {
          if (this.target(at)[1] === null) this.trapStates[state] = 1;
        }
      }
    }
    return this.trapStates;
  }
}

function qualityOf(before, after) {
  if (after === null) return "dead-end";
  if (before === null) return "";
  return after < before ? "better" : after === before ? "same" : "worse";
}
