-- Sokoban: push all boxes onto the goals. The player walks over free cells and pushes one box at a time.
--
-- Level: the usual drawing, with "#" or "x" for walls:
--   @ player   + player on a goal   $ box   * box on a goal   . goal   a space or - floor
--   moves: push    (a move is one push, and walking is free)
--   moves: step    (a move is one step, with or without a push)
-- State: the cells, numbered row by row from 1, of the boxes and of the player. Where walking is free, the
--        player counts as standing on the first cell that can be walked to.
-- Move:  push: cell of the box and direction, such as 17R. step: u d l r, and U D L R where a box is pushed

local width, height, floor, is_goal, is_step
local STEPS = { { "u", 0, -1 }, { "d", 0, 1 }, { "l", -1, 0 }, { "r", 1, 0 } }

-- The cell beside a cell, in a frame that is walled all around.
local function beside(cell, step) return cell + step[2] + step[3] * width end

-- The cells that the player can walk to.
local function reachable(from, has_box)
  local seen, queue, next = { [from] = true }, { from }, 1
  while queue[next] do
    for _, step in ipairs(STEPS) do
      local cell = beside(queue[next], step)
      if floor[cell] and not has_box[cell] and not seen[cell] then
        seen[cell] = true
        table.insert(queue, cell)
      end
    end
    next = next + 1
  end
  return seen
end

local function set_of(list)
  local set = {}
  for _, entry in ipairs(list) do set[entry] = true end
  return set
end

local function state_of(player, boxes)
  table.sort(boxes)
  if not is_step then
    for cell in pairs(reachable(player, set_of(boxes))) do player = math.min(player, cell) end
  end
  return { player = player, boxes = boxes }
end

local function start(level)
  is_step, floor, is_goal = level.settings.moves == "step", {}, {}
  width, height = 0, #level.rows
  for _, row in ipairs(level.rows) do width = math.max(width, #row) end
  local player, boxes, n_goals = nil, {}, 0
  for row, line in ipairs(level.rows) do
    for column = 1, #line do
      local cell, mark = (row - 1) * width + column, line:sub(column, column)
      floor[cell] = mark ~= "x" and mark ~= "#"
      if mark == "." or mark == "+" or mark == "*" then is_goal[cell], n_goals = true, n_goals + 1 end
      if mark == "$" or mark == "*" then table.insert(boxes, cell) end
      if mark == "@" or mark == "+" then player = cell end
    end
  end
  if player == nil then return nil, "there is no player: @, or + on a goal" end
  if #boxes ~= n_goals or n_goals == 0 then return nil, #boxes .. " boxes, and " .. n_goals .. " goals" end
  for cell in pairs(reachable(player, {})) do
    local column = (cell - 1) % width
    if cell <= width or cell > width * (height - 1) or column == 0 or column == width - 1 then
      return nil, "the player could walk out of the drawing: walls (# or x) have to go all around"
    end
  end
  return state_of(player, boxes)
end

local function goal(state)
  for _, box in ipairs(state.boxes) do
    if not is_goal[box] then return false end
  end
  return true
end

local function moves(state)
  local has_box, result = set_of(state.boxes), {}

  local function push(move, box, step)
    local boxes = {}
    for _, other in ipairs(state.boxes) do table.insert(boxes, other == box and beside(box, step) or other) end
    result[move] = state_of(box, boxes)
  end

  local from = is_step and { [state.player] = true } or reachable(state.player, has_box)
  for player in pairs(from) do
    for _, step in ipairs(STEPS) do
      local cell = beside(player, step)
      local behind = beside(cell, step)
      if has_box[cell] then
        if floor[behind] and not has_box[behind] then
          push(is_step and step[1]:upper() or cell .. step[1]:upper(), cell, step)
        end
      elseif is_step and floor[cell] then
        result[step[1]] = { player = cell, boxes = state.boxes }
      end
    end
  end
  return result
end

-- Each box needs at least as many pushes as its nearest goal is away.
local function nearest_goals(state)
  local sum = 0
  for _, box in ipairs(state.boxes) do
    local nearest = math.huge
    for cell in pairs(is_goal) do
      local columns = math.abs((box - 1) % width - (cell - 1) % width)
      local rows = math.abs((box - 1) // width - (cell - 1) // width)
      nearest = math.min(nearest, columns + rows)
    end
    sum = sum + nearest
  end
  return sum
end

-- Each box beside the goals needs a push at least.
local function boxes_off_goals(state)
  local count = 0
  for _, box in ipairs(state.boxes) do
    if not is_goal[box] then count = count + 1 end
  end
  return count
end

local function draw(state)
  local has_box, rows = set_of(state.boxes), {}
  for row = 1, height do
    local marks = {}
    for column = 1, width do
      local cell = (row - 1) * width + column
      local mark = floor[cell] and " " or "x"
      if is_goal[cell] then mark = "o" end
      if has_box[cell] then mark = is_goal[cell] and "*" or "$" end
      if cell == state.player then mark = is_goal[cell] and "+" or "@" end
      marks[column] = mark
    end
    rows[row] = table.concat(marks)
  end
  return rows
end

-- Images in boxes of 24 by 24: a crate, and the player from above.
local CRATE = {
  { path = "M0 0H24V24H0Z", fill = "#8b5a2b" }, { path = "M2 2H22V22H2Z", fill = "#d9a15c" },
  { path = "M2 5L5 2L22 19L19 22ZM19 2L22 5L5 22L2 19Z", fill = "#8b5a2b" },
}
local PLAYER = {
  { path = "M3 24V21C3 14 8 13 12 13S21 14 21 21V24Z", fill = "#0b5cad" }, { circle = { 12, 7, 6 }, fill = "#f2c9a0" },
  { path = "M6 6C6 -1 18 -1 18 6Z", fill = "#0b5cad" },
}

-- The maze, its goals, the crates and the player.
local function picture(state)
  local shapes = {}

  local function add(cell, shape)
    shape.row, shape.column = (cell - 1) // width + 1, (cell - 1) % width + 1
    table.insert(shapes, shape)
  end

  for cell = 1, width * height do
    if floor[cell] == false then add(cell, { role = "wall" }) end
    if is_goal[cell] then add(cell, { role = "target", colour = 2 }) end
  end
  for _, box in ipairs(state.boxes) do add(box, { image = CRATE }) end
  add(state.player, { image = PLAYER })
  return { width = width, height = height, shapes = shapes }
end

-- Steps are arrows; a push of a crate that can be walked to is made by the crate itself.
local DIRECTIONS = { u = "up", d = "down", l = "left", r = "right" }
local function gesture(move)
  return is_step and DIRECTIONS[move:lower()] or nil
end

return {
  name = "Sokoban",
  aim = {
    en = "Push every crate onto a goal; crates cannot be pulled.",
    de = "Alle Kisten auf Ziele schieben; ziehen lassen sie sich nicht.",
    fr = "Poussez toutes les caisses sur des buts\u{a0}; on ne peut pas les tirer.",
  },
  picture = picture, gesture = gesture,
  settings = { moves = "push" },
  start = start, goal = goal, moves = moves, draw = draw,
  heuristics = { ["nearest-goals"] = nearest_goals, ["boxes-off-goals"] = boxes_off_goals },
  admissible = { "nearest-goals", "boxes-off-goals" },
}
