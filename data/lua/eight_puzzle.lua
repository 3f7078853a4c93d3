-- The sliding puzzle: numbered tiles in a frame with one gap. A move slides a tile into the gap.
--
-- Level: the rows of the frame, with "." for the gap. Tiles are 1 to 9, then A, B, C and so on.
-- State: all cells as one text, row by row, such as 12345678.
-- Move:  the tile that slides, such as 5

local TILES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
local width, height, solved

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

-- The sum of the tiles' distances to their own cells (Manhattan distance).
local function manhattan(state)
  local sum = 0
  for cell = 1, #state do
    local tile = state:sub(cell, cell)
    if tile ~= "." then
      local home = TILES:find(tile, 1, true)
      local rows = (cell - 1) // width - (home - 1) // width
      local columns = (cell - 1) % width - (home - 1) % width
      sum = sum + math.abs(rows) + math.abs(columns)
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

local function draw(state)
  local rows = {}
  for row = 1, height do rows[row] = state:sub((row - 1) * width + 1, row * width) end
  return rows
end

return {
  name = "Eight puzzle",
  start = start, goal = goal, moves = moves, draw = draw,
  heuristics = { manhattan = manhattan, misplaced = misplaced },
  admissible = { "manhattan", "misplaced" },
}
