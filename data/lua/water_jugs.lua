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

return {
  name = "Water jugs",
  settings = { capacities = "", start = "", goal = "", tap = "no" },
  start = start, goal = goal, moves = moves,
}
