// Mouse, pen and fingers on the map: press to choose, drag to move, pinch or wheel to zoom.

function watchPointers(drawing) {
  const { place } = drawing;
  const down = new Map();
  let press = null;
  const at = (event) => {
    const box = place.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  // Where two fingers are between, and how far apart.
  const pinch = () => {
    const [a, b] = Array.from(down.values());
    return { middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart: Math.max(Math.hypot(a[0] - b[0], a[1] - b[1]), 1) };
  };
  const drag = (before, after) => {
    const [a, b] = [drawing.from(before), drawing.from(after)];
    drawing.move([a[0] - b[0], a[1] - b[1]]);
  };

  place.addEventListener("pointerdown", (event) => {
    if (!drawing.level || (event.pointerType === "mouse" && event.button !== 0)) return;
    down.set(event.pointerId, at(event));
    press = down.size === 1 ? event : null;
  });
  // On the window, for a drag may leave the map.
  window.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    if (press && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > STILL) press = null;
    if (press) return;
    const [former, after] = [down.size === 2 ? pinch() : null, at(event)];
    down.set(event.pointerId, after);
    if (!former) return drag(before, after);
    const now = pinch();
    drag(former.middle, now.middle);
    drawing.zoom(former.apart / now.apart, drawing.from(now.middle));
  });
  window.addEventListener("pointerup", (event) => {
    if (press && down.has(event.pointerId)) {
      const state = drawing.stateAt(press);
      if (state !== null) drawing.onChoice(state);
    }
    down.delete(event.pointerId);
    press = null;
  });
  window.addEventListener("pointercancel", (event) => {
    down.delete(event.pointerId);
    press = null;
  });
  place.addEventListener("pointermove", (event) => {
    if (drawing.level && !down.size) hover(drawing.stateAt(event));
  });
  place.addEventListener("pointerleave", () => hover(null));
  const hover = (state) => {
    if (state === drawing.hovered) return;
    drawing.hovered = state;
    drawing.onHover(state);
    drawing.draw();
  };
  // Without Ctrl the wheel scrolls the page, as everywhere else.
  place.addEventListener("wheel", (event) => {
    if (!event.ctrlKey || !drawing.level) return;
    event.preventDefault();
    drawing.zoom(1.0015 ** between(-200, event.deltaY, 200), drawing.from(at(event)));
  }, { passive: false });
}
