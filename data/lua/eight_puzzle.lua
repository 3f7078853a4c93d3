-- The sliding puzzle: numbered tiles in a frame with one gap. A move slides a tile into the gap.
--
-- Level: the rows of the frame, with "." for the gap. Tiles are 1 to 9, then A, B, C and so on.
-- State: all cells as one text, row by row, such as 12345678.
-- Move:  the tile that slides, such as 5

local TILES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
local width, height, solved, goal_area, goal_labels

-- The goal beside the tiles: the same in all pictures of a level.
local function goal_beside_tiles()
  local size = 0.5
  local area = { row = 1, column = width + 1.3, rows = height * size + 0.8, columns = width * size + 0.4, caption = 0.6 }
  local labels = {}
  for cell = 1, #solved - 1 do
    labels[cell] = {
      row = 1.7 + (cell - 1) // width * size, column = width + 1.5 + (cell - 1) % width * size, rows = size, columns = size,
      form = "label", label = solved:sub(cell, cell),
    }
  end
  return area, labels
end

local function start(level)
  width, height = #(level.rows[1] or ""), #level.rows
  local state = table.concat(level.rows)
  solved = TILES:sub(1, width * height - 1) .. "."
  local expected, found = characters(solved), characters(state)
  table.sort(expected)
  table.sort(found)
  if table.concat(expected) ~= table.concat(found) then
    return nil, "a frame of " .. width .. "x" .. height .. " holds each of " .. solved .. " once"
  end
  goal_area, goal_labels = goal_beside_tiles()
  return state
end

local function goal(state)
  return state == solved
end

local function moves(state)
  local gap = state:find(".", 1, true)
  local column = (gap - 1) % width
  local result = {}

  local function slide(from)
    local low, high = math.min(from, gap), math.max(from, gap)
    local between = state:sub(low + 1, high - 1)
    local swapped = state:sub(high, high) .. between .. state:sub(low, low)
    result[state:sub(from, from)] = state:sub(1, low - 1) .. swapped .. state:sub(high + 1)
  end

  if column > 0 then slide(gap - 1) end
  if column < width - 1 then slide(gap + 1) end
  if gap > width then slide(gap - width) end
  if gap <= width * (height - 1) then slide(gap + width) end
  return result
end

-- How many steps from one cell to another.
local function steps(from, to)
  local rows, columns = (from - 1) // width - (to - 1) // width, (from - 1) % width - (to - 1) % width
  return math.abs(rows) + math.abs(columns)
end

-- The sum of the tiles' distances to their own cells (Manhattan distance).
local function manhattan(state)
  local sum = 0
  for cell = 1, #state do
    local tile = state:sub(cell, cell)
    if tile ~= "." then
      sum = sum + steps(cell, TILES:find(tile, 1, true))
    end
  end
  return sum
end

-- The number of tiles that are not at home.
local function misplaced(state)
  local count = 0
  for cell = 1, #state do
    local tile = state:sub(cell, cell)
    if tile ~= "." and tile ~= solved:sub(cell, cell) then count = count + 1 end
  end
  return count
end

-- The cells beside a cell.
local function beside(cell)
  local column, cells = (cell - 1) % width, {}
  if cell > width then table.insert(cells, cell - width) end
  if column > 0 then table.insert(cells, cell - 1) end
  if column < width - 1 then table.insert(cells, cell + 1) end
  if cell <= width * (height - 1) then table.insert(cells, cell + width) end
  return cells
end

-- A tile that is not at home wants to go one cell nearer home. What lies on that cell has to leave it first, and not for
-- the cell of the tile that wants to come.
local function blockers(state, wish)
  local ways = {}
  if wish == nil then
    ways.name = "home"
    for cell = 1, #state do
      local tile = state:sub(cell, cell)
      local home = solved:find(tile, 1, true)
      if tile ~= "." then
        for _, to in ipairs(beside(cell)) do
          if steps(to, home) < steps(cell, home) then table.insert(ways, { move = tile, to = to }) end
        end
      end
    end
    return ways
  end
  local tile, from = state:sub(wish.to, wish.to), state:find(wish.move, 1, true)
  if tile == "." then return {} end
  ways.name = wish.to
  for _, to in ipairs(beside(wish.to)) do
    if to ~= from then table.insert(ways, { move = tile, to = to }) end
  end
  return { ways }
end

local function picture(state)
  local shapes, rows = { { row = 1, column = 1, rows = height, columns = width, role = "frame" } }, {}
  for row = 1, height do
    rows[row] = state:sub((row - 1) * width + 1, row * width)
    for column = 1, width do
      local tile = rows[row]:sub(column, column)
      if tile ~= "." then
        shapes[#shapes + 1] = { row = row, column = column, role = "ranked", colour = 3, label = tile }
      end
    end
  end
  for _, label in ipairs(goal_labels) do shapes[#shapes + 1] = label end
  return {
    width = width + goal_area.columns + 0.3, height = math.max(height, goal_area.rows), ground = "plain",
    goal = goal_area, shapes = shapes, text = table.concat(rows, "\n"),
  }
end

return {
  name = "Eight puzzle",
  aim = {
    en = "Slide the tiles until they lie as in the goal.",
    de = "Die Steine verschieben, bis sie wie im Ziel liegen.",
    fr = "Faites glisser les tuiles jusqu’à ce qu’elles soient comme dans le but.",
  },
  picture = picture,
  start = start, goal = goal, moves = moves,
  heuristics = { manhattan = manhattan, misplaced = misplaced },
  admissible = { "manhattan", "misplaced" },
  blockers = blockers,
}
