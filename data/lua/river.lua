-- Hobbits and orcs cross a river. Nowhere may orcs outnumber the hobbits who are there.
-- State: who is on the left bank, and where the boat is.   Move: who crosses, such as ho or oo
local n, seats

local function start(level)
  n, seats = tonumber(level.settings.pairs), tonumber(level.settings.seats)
  return { hobbits = n, orcs = n, boat = "left" }
end

local function safe(hobbits, orcs) return hobbits == 0 or hobbits >= orcs end

local function moves(state)
  local result = {}
  local sign, landing = -1, "right"
  if state.boat == "right" then sign, landing = 1, "left" end
  for hobbits = 0, seats do
    for orcs = 0, seats - hobbits do
      local h, o = state.hobbits + sign * hobbits, state.orcs + sign * orcs
      local possible = hobbits + orcs > 0 and h >= 0 and h <= n and o >= 0 and o <= n
      if possible and safe(h, o) and safe(n - h, n - o) then
        local move = ("h"):rep(hobbits) .. ("o"):rep(orcs)
        result[move] = { hobbits = h, orcs = o, boat = landing }
      end
    end
  end
  return result
end

local function goal(state) return state.hobbits + state.orcs == 0 end

-- Images, in boxes of 24 by 32 and of 64 by 16.
local BODY = "M3 32V25C3 18 8 17 12 17S21 18 21 25V32Z"
local HOBBIT = {
  width = 24, height = 32,
  { path = BODY, fill = "#7fc79a" }, { circle = { 12, 10, 7 }, fill = "#f2c9a0" },
  { path = "M4 11C2 0 22 0 20 11C17 5 7 5 4 11Z", fill = "#7a4a1e" },
  { circle = { 9.5, 11, 1 }, fill = "#1c2126" }, { circle = { 14.5, 11, 1 }, fill = "#1c2126" },
}
local ORC = {
  width = 24, height = 32,
  { path = BODY, fill = "#b3aebf" }, { path = "M6 13L0 7L7 6ZM18 13L24 7L17 6Z", fill = "#7f9a3d" },
  { circle = { 12, 10, 7 }, fill = "#7f9a3d" },
  { path = "M6 7L11 9.5L7 11ZM18 7L13 9.5L17 11Z", fill = "#8c1c13" },
  { path = "M8 15L9.5 12L11 15ZM13 15L14.5 12L16 15Z", fill = "#ffffff" },
}
local HULL = { width = 64, height = 16, { path = "M0 1H64L55 16H9Z", fill = "#8b5a2b" } }

-- A bank on either side, with a row each of hobbits and orcs, and between them the river with the boat.
local function picture(state)
  local river, height, shapes = 3.4, 3.8, {}

  local function add(row, column, rows, columns, shape)
    shape.row, shape.column, shape.rows, shape.columns = row, column, rows, columns
    shape.role = "frame"
    table.insert(shapes, shape)
  end

  local function stand(count, row, column, image, letter)
    for place = 1, count do
      local left = column + place - 1
      add(row, left + 0.05, 1.6, 0.9, { image = image })
      add(row + 0.9, left + 0.05, 0.7, 0.9, { form = "label", label = letter })
    end
  end

  add(1, 1, height, n, { fill = "#dcebc9" })
  add(1, 1 + n, height, river, { fill = "#cfe4f5" })
  add(1, 1 + n + river, height, n, { fill = "#dcebc9" })
  add(2.6, state.boat == "left" and 1.1 + n or n + river - 0.9, 0.6, 1.8, { image = HULL })
  stand(state.hobbits, 1.2, 1, HOBBIT, "h")
  stand(state.orcs, 3, 1, ORC, "o")
  stand(n - state.hobbits, 1.2, 1 + n + river, HOBBIT, "h")
  stand(n - state.orcs, 3, 1 + n + river, ORC, "o")
  return { width = 2 * n + river, height = height, ground = "plain", shapes = shapes }
end

local aim = {
  en = "Bring everybody to the right bank: on no bank may orcs outnumber hobbits.",
  de = "Alle ans rechte Ufer bringen: an keinem Ufer dürfen mehr Orks als Hobbits sein.",
  fr = "Amenez tout le monde sur la rive droite\u{a0}: sur aucune, les orques ne doivent dépasser les hobbits en nombre.",
}

return {
  settings = { pairs = 3, seats = 2 }, aim = aim,
  start = start, goal = goal, moves = moves, picture = picture,
}
