-- Water jugs: measure an amount of water by pouring from jug to jug.
--
-- Level: settings alone. With `tap: yes` jugs can also be filled at a tap and emptied.
--   capacities: 8 5 3
--   start: 8 0 0        (all empty, if it is left out)
--   goal: 4 4 0         (one amount for each jug, - for any; or a single amount that some jug has to hold)
-- State: the amounts, such as {8 0 0}
-- Move:  A>B pours from jug A into jug B until one is empty or full; +A fills jug A; -A empties it

local NAMES = characters("ABCDEFGHIJ")
local capacities, wanted, has_tap

local function start(level)
  capacities, wanted = numbers(level.settings.capacities), words(level.settings.goal)
  has_tap = level.settings.tap == "yes"
  local amounts = numbers(level.settings.start)
  if #capacities < 2 or #capacities > #NAMES then return nil, "there are 2 to 10 jugs: `capacities: 8 5 3`" end
  if #amounts == 0 then
    for jug = 1, #capacities do amounts[jug] = 0 end
  end
  if #amounts ~= #capacities then return nil, "`start` has one amount for each jug" end
  if #wanted ~= 1 and #wanted ~= #capacities then return nil, "`goal` has one amount, or one for each jug" end
  return amounts
end

local function goal(amounts)
  local n_right = 0
  for jug, amount in ipairs(amounts) do
    local right = wanted[#wanted == 1 and 1 or jug]
    if right == "-" or tonumber(right) == amount then n_right = n_right + 1 end
  end
  return n_right == #amounts or (#wanted == 1 and n_right > 0)
end

local function moves(amounts)
  local result = {}

  local function set(move, first, amount, second, other)
    local after = copy(amounts)
    after[first] = amount
    if second then after[second] = other end
    result[move] = after
  end

  for from, amount in ipairs(amounts) do
    if has_tap and amount < capacities[from] then set("+" .. NAMES[from], from, capacities[from]) end
    if has_tap and amount > 0 then set("-" .. NAMES[from], from, 0) end
    for to, present in ipairs(amounts) do
      local poured = math.min(amount, capacities[to] - present)
      if to ~= from and poured > 0 then
        set(NAMES[from] .. ">" .. NAMES[to], from, amount - poured, to, present + poured)
      end
    end
  end
  return result
end

-- The jugs with their water and amounts, and on their right the goal: the amounts that are wanted, or the only one.
local function picture(amounts)
  local most, shapes = math.max(table.unpack(capacities)), {}

  local function add(row, column, rows, columns, shape)
    shape.row, shape.column, shape.rows, shape.columns, shape.role = row, column, rows, columns, "frame"
    table.insert(shapes, shape)
  end

  -- A jug that stands on `bottom`; what is said above it and below.
  local function jug(column, bottom, scale, capacity, amount, above, below)
    local rows, columns, glass = (0.5 + 2.7 * capacity / most) * scale, 1.2 * scale, 0.07 * scale
    add(bottom - rows, column, rows, columns, { fill = "#59636d" })
    add(bottom - rows, column + glass, rows - glass, columns - 2 * glass, { fill = "#ffffff" })
    local full = (rows - glass) * 0.9 * amount / capacity
    if full > 0 then add(bottom - glass - full, column + glass, full, columns - 2 * glass, { fill = "#77aadd" }) end
    local letter, left, wide = 0.3 + 0.2 * scale, column - 0.3 * scale, 1.8 * scale
    add(bottom - rows - letter, left, letter, wide, { form = "label", label = above })
    if below then add(bottom, left, letter, wide, { form = "label", label = below }) end
  end

  local n_wanted, scale = #wanted, 0.6
  local width = 1.8 * #capacities + 0.3 + 1.8 * scale * n_wanted + 0.3
  for number, capacity in ipairs(capacities) do
    jug(1.3 + 1.8 * (number - 1), 4.7, 1, capacity, amounts[number], amounts[number] .. " / " .. capacity, NAMES[number])
  end
  local left = 1.3 + 1.8 * #capacities
  for number, amount in ipairs(wanted) do
    local capacity = n_wanted == 1 and most or capacities[number]
    local column, name = left + 0.15 + (0.3 + 1.8 * (number - 1)) * scale, n_wanted > 1 and NAMES[number] or nil
    jug(column, 4.7, scale, capacity, math.min(tonumber(amount) or 0, capacity), amount == "-" and "?" or amount, name)
  end
  local area = { row = 1.4, column = left, rows = 3.8, columns = 1.8 * scale * n_wanted + 0.3, caption = 0.7 }
  return { width = width, height = 4.2, ground = "plain", goal = area, shapes = shapes }
end

local function aim()
  if #wanted == 1 then
    local amount = wanted[1]
    return {
      en = "Pour until one of the jugs holds exactly " .. amount .. ".",
      de = "Umgießen, bis ein Krug genau " .. amount .. " enthält.",
      fr = "Versez jusqu’à ce qu’une cruche contienne exactement " .. amount .. ".",
    }
  end
  return {
    en = "Pour until the jugs hold what the goal shows.",
    de = "Umgießen, bis die Krüge enthalten, was das Ziel zeigt.",
    fr = "Versez jusqu’à ce que les cruches contiennent ce que montre le but.",
  }
end

return {
  name = "Water jugs", aim = aim, picture = picture,
  settings = { capacities = "", start = "", goal = "", tap = "no" },
  start = start, goal = goal, moves = moves,
}
