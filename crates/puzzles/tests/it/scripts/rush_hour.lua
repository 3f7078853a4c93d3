-- Rush Hour, to compare its trees with those of the built-in game.
-- Level: the board. A is the red piece, which leaves on the right; x is a wall.   State: the board as one text.
-- Move: piece and cells, such as B-2
local width, height

local function start(level)
  width, height = #level.rows[1], #level.rows
  return table.concat(level.rows)
end

-- The line of cells on which a piece slides, the first place on it that the piece takes, and its length.
local function track(state, piece)
  local first = state:find(piece, 1, true)
  local row, column = (first - 1) // width, (first - 1) % width
  local line, place, length = {}, nil, 0
  if state:find(piece, first + width, true) == first + width then
    for other = 0, height - 1 do table.insert(line, other * width + column + 1) end
  else
    for other = 0, width - 1 do table.insert(line, row * width + other + 1) end
  end
  for index, cell in ipairs(line) do
    if state:sub(cell, cell) == piece then place, length = place or index, length + 1 end
  end
  return line, place, length
end

local function moves(state)
  local result = {}
  for _, piece in ipairs(characters(state)) do
    if piece:find("%u") then
      local line, place, length = track(state, piece)
      for _, sign in ipairs({ -1, 1 }) do
        local cells, front = 0, sign < 0 and place or place + length - 1
        while state:sub(line[front + cells + sign] or 0, line[front + cells + sign] or 0) == "." do
          cells = cells + sign
          local after = characters((state:gsub(piece, ".")))
          for index = place + cells, place + cells + length - 1 do after[line[index]] = piece end
          result[piece .. ("%+d"):format(cells)] = table.concat(after)
        end
      end
    end
  end
  return result
end

local function way_out(state)
  local line, place, length = track(state, "A")
  return #line - (place + length - 1)
end

-- The slides that take a piece off the cells that a slide on `line` passes. Pieces on one line keep their order, and need
-- their room; one on the line of the slide can only go ahead of it.
local function ways_off(state, piece, line, cells, passed)
  local own, place, length = track(state, piece)
  local function room(from, step)
    local last, taken = from, 0
    local index = from + step
    while own[index] and state:sub(own[index], own[index]) ~= "x" do
      local letter = state:sub(own[index], own[index])
      if letter ~= "." and table.concat(track(state, letter), " ") == table.concat(own, " ") then taken = taken + 1 end
      last, index = index, index + step
    end
    return last - step * taken
  end
  local ways = {}
  local is_same = table.concat(own, " ") == table.concat(line, " ")
  for there = room(place, -1), room(place + length - 1, 1) - length + 1 do
    local shift, is_off = there - place, true
    for index = there, there + length - 1 do is_off = is_off and not passed[own[index]] end
    if shift ~= 0 and is_off and (not is_same or (shift > 0) == (cells > 0)) then
      table.insert(ways, piece .. ("%+d"):format(shift))
    end
  end
  return ways
end

local function blockers(state, move)
  if move == nil then return { "A" .. ("%+d"):format(way_out(state)) } end
  local piece, cells = move:match("^(.)(.+)$")
  cells = tonumber(cells)
  local line, place, length = track(state, piece)
  local sign, front = cells < 0 and -1 or 1, cells < 0 and place or place + length - 1
  local passed, order = {}, {}
  for step = 1, math.abs(cells) do
    local cell = line[front + sign * step]
    if cell == nil or state:sub(cell, cell) == "x" then return nil end
    passed[cell] = true
    table.insert(order, state:sub(cell, cell))
  end
  local found, seen = {}, { ["."] = true }
  for _, other in ipairs(order) do
    if not seen[other] then
      seen[other] = true
      local ways = ways_off(state, other, line, cells, passed)
      if #ways == 0 then return nil end
      table.insert(found, ways)
    end
  end
  return found
end

return {
  start = start, moves = moves, blockers = blockers,
  goal = function(state) return way_out(state) == 0 end,
}
