-- The Tower of Hanoi, to compare its trees with those of the built-in game.
-- Level: the pegs in the start, and in the target (setting).   State: disks from the bottom, such as 431/2/-
-- Move: from peg to peg, such as 1>3
local target

local function pegs_of(text)
  local pegs = {}
  for peg in text:gmatch("[^/]+") do table.insert(pegs, peg == "-" and "" or peg) end
  return pegs
end

local function text_of(pegs)
  local shown = {}
  for peg, disks in ipairs(pegs) do shown[peg] = disks == "" and "-" or disks end
  return table.concat(shown, "/")
end

local function start(level)
  target = pegs_of(level.settings.target)
  return table.concat(level.rows, "/")
end

local function goal(state) return state == text_of(target) end

local function moves(state)
  local pegs, result = pegs_of(state), {}
  for from, disks in ipairs(pegs) do
    local disk = disks:sub(-1)
    for to, others in ipairs(pegs) do
      if disk ~= "" and from ~= to and (others == "" or disk < others:sub(-1)) then
        local after = copy(pegs)
        after[from], after[to] = disks:sub(1, -2), others .. disk
        result[from .. ">" .. to] = text_of(after)
      end
    end
  end
  return result
end

local function peg_of(pegs, disk)
  for peg, disks in ipairs(pegs) do
    if disks:find(disk, 1, true) then return peg end
  end
end

local function blockers(state, wish)
  local pegs = pegs_of(state)
  local n = #state:gsub("%D", "")
  local function wished(disk, to, home)
    return { move = peg_of(pegs, disk) .. ">" .. to, disk = disk, to = to, home = home }
  end
  if wish == nil then
    local last = { name = "home" }
    for disk = n, 1, -1 do
      local to = peg_of(target, disk)
      if peg_of(pegs, disk) ~= to then table.insert(last, wished(disk, to, true)) end
    end
    return last
  end
  local found, from, to = {}, peg_of(pegs, wish.disk), wish.to
  for larger = n, wish.disk + 1, -1 do
    if wish.home and peg_of(target, larger) == to and peg_of(pegs, larger) ~= to then
      table.insert(found, { name = { larger, to }, wished(larger, to, true) })
    end
  end
  for smaller = wish.disk - 1, 1, -1 do
    local peg = peg_of(pegs, smaller)
    if peg == from or peg == to then
      local ways = { name = { smaller, math.min(from, to), math.max(from, to) } }
      for other = 1, #pegs do
        if other ~= from and other ~= to then table.insert(ways, wished(smaller, other, false)) end
      end
      if #ways == 0 then return nil end
      table.insert(found, ways)
    end
  end
  return found
end

return {
  settings = { target = "" },
  start = start, goal = goal, moves = moves, blockers = blockers,
}
