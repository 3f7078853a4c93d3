-- Peg solitaire: a peg jumps over a peg into a hole, and the one that it jumped over is taken away.
--
-- Level: the board; "o" is a peg, "." an empty hole, anything else no part of the board.
--   shape: square       (jumps along rows and columns)
--   shape: triangle     (row 1 has one hole, row 2 two and so on; jumps also along the third direction)
--   last: c3            (where the last peg has to be; anywhere, if it is left out)
-- State: the rows of the board, joined by /
-- Move:  from-to, columns as letters and rows as numbers, such as c1-c3

local rows, last, is_triangle
local directions = {}

local function name(row, column) return string.char(96 + column) .. row end

local function at(board, row, column)
  local line = board[row]
  return line and line:sub(column, column)
end

local function start(level)
  rows, last = level.rows, level.settings.last
  if #rows == 0 then return nil, "the board is missing" end
  local steps = { { 0, 1 }, { 1, 0 } }
  is_triangle = level.settings.shape == "triangle"
  if is_triangle then steps[3] = { 1, 1 } end
  for _, step in ipairs(steps) do
    table.insert(directions, step)
    table.insert(directions, { -step[1], -step[2] })
  end
  return table.concat(rows, "/")
end

-- A copy of the board with another mark in one hole.
local function with(board, row, column, mark)
  local result = copy(board)
  result[row] = board[row]:sub(1, column - 1) .. mark .. board[row]:sub(column + 1)
  return result
end

local function split(state)
  local board = {}
  for row in state:gmatch("[^/]+") do table.insert(board, row) end
  return board
end

-- Where the last peg has to be, or nothing.
local function last_hole()
  local column, row = last:match("^(%l)(%d+)$")
  if column then return tonumber(row), column:byte() - 96 end
end

local function goal(state)
  local _, n_pegs = state:gsub("o", "o")
  if n_pegs ~= 1 then return false end
  if last == "" then return true end
  local row, column = last_hole()
  return at(split(state), row, column) == "o"
end

local function moves(state)
  local board, result = split(state), {}
  for row, line in ipairs(board) do
    for column = 1, #line do
      for _, step in ipairs(directions) do
        local over_row, over_column = row + step[1], column + step[2]
        local to_row, to_column = row + 2 * step[1], column + 2 * step[2]
        if at(board, row, column) == "o" and at(board, over_row, over_column) == "o"
          and to_column > 0 and at(board, to_row, to_column) == "." then
          local after = with(with(board, row, column, "."), over_row, over_column, ".")
          after = with(after, to_row, to_column, "o")
          result[name(row, column) .. "-" .. name(to_row, to_column)] = table.concat(after, "/")
        end
      end
    end
  end
  return result
end

-- Each jump takes one peg away.
local function heuristic(state)
  local _, n_pegs = state:gsub("o", "o")
  return math.max(n_pegs - 1, 0)
end

-- Holes as discs and pegs on them; a triangle stands in its middle. The hole of the last peg has a ring.
local function picture(state)
  local board, shapes, width = split(state), {}, 0
  for _, line in ipairs(board) do width = math.max(width, #line) end
  local last_row, last_column = last_hole()

  local function disc(row, column, size, shape)
    local shift = is_triangle and (#board - row) / 2 or 0
    shape.row, shape.column = row + (1 - size) / 2, column + shift + (1 - size) / 2
    shape.rows, shape.columns, shape.form = size, size, "disc"
    table.insert(shapes, shape)
  end

  for row, line in ipairs(board) do
    for column = 1, #line do
      local mark = line:sub(column, column)
      local is_last = row == last_row and column == last_column
      if (mark == "o" or mark == ".") and is_last then disc(row, column, 1, { role = "target" }) end
      if mark == "o" or mark == "." then disc(row, column, 0.45, { role = "frame" }) end
    end
  end
  for row, line in ipairs(board) do
    for column = 1, #line do
      if line:sub(column, column) == "o" then disc(row, column, 0.8, { colour = 1 }) end
    end
  end
  return { width = width, height = #board, ground = "plain", shapes = shapes }
end

local function aim()
  if last == "" then
    return {
      en = "Jump over pegs, which takes them away, until only one is left.",
      de = "Über Stifte springen, die dann weggenommen werden, bis nur einer übrig ist.",
      fr = "Sautez par-dessus des pions, qui sont alors retirés, jusqu’à ce qu’il n’en reste qu’un.",
    }
  end
  return {
    en = "Jump over pegs, which takes them away, until only one is left: in the hole with the ring.",
    de = "Über Stifte springen, die dann weggenommen werden, bis nur einer übrig ist: im Loch mit dem Ring.",
    fr = "Sautez par-dessus des pions, qui sont alors retirés, jusqu’à ce qu’il n’en reste qu’un, dans le trou cerclé.",
  }
end

return {
  name = "Peg solitaire", aim = aim, picture = picture,
  settings = { shape = "square", last = "" },
  start = start, goal = goal, moves = moves, heuristic = heuristic,
  draw = split,
}
