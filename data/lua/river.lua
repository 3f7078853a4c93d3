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

return { settings = { pairs = 3, seats = 2 }, start = start, goal = goal, moves = moves }
