-- What a script finds when it starts. Runs once in each new Lua state, before the script.
-- `host` is what Rust provides: match(text, pattern, first, last_end, literal_caret), show(value), the limits longest_text
-- and longest_list, and what counts work: text(n_bytes) of a text that is made or read, entries(n) of those that one call
-- handles.
-- Nothing here may depend on the order of tables, on addresses, on time or on chance.

local host = ...
local raw_error, raw_next, raw_tostring = error, next, tostring
local raw_sort, raw_insert, raw_remove, raw_move = table.sort, table.insert, table.remove, table.move
local concat, pack, unpack, select, type, min = table.concat, table.pack, table.unpack, select, type, math.min
local raw_find, raw_gmatch, raw_gsub, raw_format = string.find, string.gmatch, string.gsub, string.format
-- By these names Lua's own messages call them.
local sub, rep, byte, upper, lower, reverse = string.sub, string.rep, string.byte, string.upper, string.lower,
  string.reverse
local count_text, count_entries, LONGEST_TEXT = host.text, host.entries, host.longest_text

-- The longest list that insert, remove, move and sort take; beyond it only a mistake is thinkable.
local LONGEST = host.longest_list

local function complain(message, level) raw_error(message, level + 1) end

-- Shorter texts and lists are worked on as fast as anything else, and not counted.
local SHORT <const>, FEW <const> = 1000, 100

-- A text that a function has made, of any length up to the limit.
local function made(text, what)
  local n_bytes = #text
  if n_bytes > SHORT then
    if n_bytes > LONGEST_TEXT then
      complain(what .. " makes a text of " .. n_bytes .. " bytes; a text has at most " .. LONGEST_TEXT, 1)
    end
    count_text(n_bytes)
  end
  return text
end

local function read(text)
  if #text > SHORT then count_text(#text) end
  return text
end

local function several(...)
  local n = select("#", ...)
  if n > FEW then count_entries(n) end
  return ...
end

local function moved(n)
  if n > FEW then count_entries(n) end
end

local function as_text(value) return type(value) == "number" and raw_tostring(value) or value end

local function text_of(value)
  local kind = type(value)
  if kind == "table" then return made(host.show(value), "tostring") end
  if kind == "function" then return "function" end
  return raw_tostring(value)
end

local function fail(message, level)
  level = level or 1
  raw_error(text_of(message), level == 0 and 0 or level + 1)
end

local function expect(value, kind, what)
  if type(value) ~= kind then
    complain(what .. " takes a " .. kind .. ", and got " .. (value == nil and "nil" or "a " .. type(value)), 3)
  end
end

local function expect_list(value, what)
  expect(value, "table", what)
  if #value > LONGEST then complain(what .. " takes lists of at most " .. LONGEST .. " entries", 3) end
end

-- Keys in their order: numbers ascending, then text, then false and true.
local function keys_of(value, what)
  local numbers, texts, n_numbers, n_texts, has_false, has_true = {}, {}, 0, 0, false, false
  local ascending = true
  for key in raw_next, value do
    local kind = type(key)
    if kind == "number" then
      n_numbers = n_numbers + 1
      numbers[n_numbers] = key
      ascending = ascending and (n_numbers == 1 or numbers[n_numbers - 1] < key)
    elseif kind == "string" then
      n_texts = n_texts + 1
      texts[n_texts] = key
    elseif kind == "boolean" then
      has_true, has_false = has_true or key, has_false or not key
    else
      complain(what .. ": a key is a " .. kind .. ", and such keys have no order; use numbers or text", 3)
    end
  end
  if not ascending then raw_sort(numbers) end
  if n_texts > 1 then raw_sort(texts) end
  for index = 1, n_texts do numbers[n_numbers + index] = texts[index] end
  if has_false then numbers[#numbers + 1] = false end
  if has_true then numbers[#numbers + 1] = true end
  return numbers
end

local function sorted_pairs(value)
  expect(value, "table", "pairs")
  local keys, index = keys_of(value, "pairs"), 0
  return function()
    while true do
      index = index + 1
      local key = keys[index]
      if key == nil then return nil end
      if value[key] ~= nil then return key, value[key] end
    end
  end
end

local function sorted_next(value, key)
  expect(value, "table", "next")
  if raw_next(value) == nil then return nil end
  local keys, index = keys_of(value, "next"), 1
  if key ~= nil then
    while keys[index] ~= key do
      if keys[index] == nil then complain("next: there is no such key", 2) end
      index = index + 1
    end
    index = index + 1
  end
  return keys[index], value[keys[index]]
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local result = {}
  for key, entry in raw_next, value do result[key] = copy(entry) end
  return result
end

-- A merge sort: stable, and without the pivots that Lua's own sort draws by the clock.
local function stable_sort(list, less)
  expect_list(list, "table.sort")
  less = less or function(first, second) return first < second end
  local from, to, n, width = list, {}, #list, 1
  while width < n do
    for low = 1, n, 2 * width do
      local middle, high = min(low + width, n + 1), min(low + 2 * width, n + 1)
      local left, right = low, middle
      for index = low, high - 1 do
        if left < middle and (right >= high or not less(from[right], from[left])) then
          to[index], left = from[left], left + 1
        else
          to[index], right = from[right], right + 1
        end
      end
    end
    from, to, width = to, from, 2 * width
  end
  if from ~= list then
    for index = 1, n do list[index] = from[index] end
  end
end

local function captures_or_whole(text, first, last, ...)
  if first == nil then return nil end
  if select("#", ...) == 0 then return sub(text, first, last) end
  return ...
end

local function gmatch(text, pattern)
  expect(text, "string", "string.gmatch")
  local at, last_end = 1, 0
  local function found(first, last, ...)
    if first == nil then return nil end
    at, last_end = last + 1, last + 1
    return captures_or_whole(text, first, last, ...)
  end
  return function() return found(host.match(text, pattern, at, last_end, true)) end
end

-- The text that replaces one match, where the replacement is text with %0 to %9 in it.
local function filled_in(template, whole, ...)
  local pieces, at = {}, 1
  while true do
    local percent = raw_find(template, "%", at, true)
    if percent == nil then break end
    pieces[#pieces + 1] = sub(template, at, percent - 1)
    local mark = sub(template, percent + 1, percent + 1)
    if mark == "%" then
      pieces[#pieces + 1] = "%"
    elseif mark == "0" or (mark == "1" and select("#", ...) == 0) then
      pieces[#pieces + 1] = whole
    else
      local number = math.tointeger(mark)
      if number == nil then complain("string.gsub: a % in the replacement is followed by a digit or by %", 3) end
      if number > select("#", ...) then complain("string.gsub: there is no capture %" .. number, 3) end
      pieces[#pieces + 1] = text_of((select(number, ...)))
    end
    at = percent + 2
  end
  pieces[#pieces + 1] = sub(template, at)
  return concat(pieces)
end

local function gsub(text, pattern, replacement, limit)
  text = as_text(text)
  expect(text, "string", "string.gsub")
  local kind = type(replacement)
  if kind == "number" then replacement, kind = text_of(replacement), "string" end
  if kind ~= "string" and kind ~= "table" and kind ~= "function" then
    complain("string.gsub replaces by text, a table or a function, and got " .. kind, 2)
  end
  local pieces, at, last_end, count = {}, 1, 0, 0
  local anchored = sub(pattern, 1, 1) == "^"
  local is_plain = kind == "string" and not raw_find(read(replacement), "%", 1, true)
  local function replaced(first, last, ...)
    if first == nil then return false end
    local whole = sub(text, first, last)
    local value
    if is_plain then
      value = replacement
    elseif kind == "string" then
      value = filled_in(replacement, whole, ...)
    elseif kind == "table" then
      value = replacement[(captures_or_whole(text, first, last, ...))]
    else
      value = replacement(captures_or_whole(text, first, last, ...))
    end
    if not value then value = whole end
    if type(value) ~= "string" and type(value) ~= "number" then
      complain("string.gsub: the replacement is a " .. type(value) .. ", and has to be text", 3)
    end
    if type(value) == "string" then read(value) end
    pieces[#pieces + 1] = sub(text, at, first - 1)
    pieces[#pieces + 1] = value
    at, last_end, count = last + 1, last + 1, count + 1
    return not anchored
  end
  while (limit == nil or count < limit) and replaced(host.match(text, pattern, at, last_end, false)) do end
  pieces[#pieces + 1] = sub(text, at)
  return made(concat(pieces), "string.gsub"), count
end

local function format(template, ...)
  expect(template, "string", "string.format")
  if raw_find(raw_gsub(read(template), "%%%%", ""), "%%[^%a%%]*p") then
    complain("string.format: %p shows an address, which differs from run to run", 2)
  end
  local values = pack(...)
  for index = 1, values.n do
    local kind = type(values[index])
    if kind == "table" or kind == "function" then values[index] = text_of(values[index]) end
  end
  return made(raw_format(template, unpack(values, 1, values.n)), "string.format")
end

local function list_of(text, pattern)
  local list = {}
  for piece in raw_gmatch(read(text), pattern) do list[#list + 1] = piece end
  return list
end

local function lines(text)
  expect(text, "string", "lines")
  read(text)
  local list, at = {}, 1
  while true do
    local newline = raw_find(text, "\n", at, true)
    if newline == nil then break end
    list[#list + 1] = sub(text, at, newline - 1)
    at = newline + 1
  end
  if at <= #text then list[#list + 1] = sub(text, at) end
  return list
end

local function words(text)
  expect(text, "string", "words")
  return list_of(text, "%S+")
end

local function numbers(text)
  expect(text, "string", "numbers")
  local list = list_of(text, "[^%s,;]+")
  for index, word in ipairs(list) do
    list[index] = tonumber(word) or complain("numbers: \"" .. word .. "\" is not a number", 2)
  end
  return list
end

local function characters(text)
  expect(text, "string", "characters")
  return list_of(text, utf8.charpattern)
end

local strings = {
  char = string.char, len = string.len, format = format, gmatch = gmatch, gsub = gsub,
  lower = function(text) return read(lower(text)) end,
  reverse = function(text) return read(reverse(text)) end,
  upper = function(text) return read(upper(text)) end,
  sub = function(text, first, last)
    local part = sub(text, first, last)
    if #part > SHORT then count_text(#part) end
    return part
  end,
  byte = function(text, first, last)
    if last == nil then return byte(text, first) end
    return several(byte(text, first, last))
  end,
  find = function(text, pattern, first, plain) return host.match(text, pattern, first, 0, false, plain) end,
  match = function(text, pattern, first)
    text = as_text(text)
    return captures_or_whole(text, host.match(text, pattern, first, 0, false))
  end,
  rep = function(text, n, separator)
    text, separator = as_text(text), as_text(separator)
    if text == "" and (separator == nil or separator == "") then return "" end
    local times = tonumber(n)
    if times and type(text) == "string" and (separator == nil or type(separator) == "string") then
      local n_bytes = #text * (times + 0.0) + #(separator or "") * (times - 1.0)
      if n_bytes > LONGEST_TEXT then
        complain(raw_format("string.rep makes a text of %.0f bytes; a text has at most %d", n_bytes, LONGEST_TEXT), 2)
      end
    end
    return read(rep(text, n, separator))
  end,
}

local tables = {
  pack = pack, sort = stable_sort,
  concat = function(list, separator, first, last)
    local joined = concat(list, separator, first, last)
    moved((last or #list) - (first or 1))
    return made(joined, "table.concat")
  end,
  unpack = function(list, first, last) return several(unpack(list, first, last)) end,
  insert = function(list, ...)
    if type(list) ~= "table" or #list > LONGEST then expect_list(list, "table.insert") end
    raw_insert(list, ...)
    if select("#", ...) > 1 then moved(#list - (...)) end
  end,
  remove = function(list, ...)
    expect_list(list, "table.remove")
    local removed = raw_remove(list, ...)
    if select("#", ...) > 0 then moved(#list - (...)) end
    return removed
  end,
  move = function(list, first, last, to, other)
    if type(first) == "number" and type(last) == "number" then
      if last - first >= LONGEST then complain("table.move moves at most " .. LONGEST .. " entries", 2) end
    end
    local result = raw_move(list, first, last, to, other)
    moved(last - first)
    return result
  end,
}

local globals = {
  assert = function(value, message, ...)
    if value then return value, message, ... end
    raw_error(message == nil and "assertion failed" or text_of(message), 2)
  end,
  error = fail, ipairs = ipairs, next = sorted_next, pairs = sorted_pairs, select = select, tonumber = tonumber,
  tostring = text_of, type = type, math = copy(math), utf8 = copy(utf8), string = strings, table = tables,
  sorted = sorted_pairs, copy = copy, lines = lines, words = words, numbers = numbers, characters = characters,
  _VERSION = _VERSION,
}

-- What is not there, and why.
local CHANCE = "a puzzle has to give the same results whenever and wherever it runs"
local FILES = "a script reads no files and knows no time; what it needs stands in the level"
local ONE_FILE = "a script is one file, whose hash stands for the puzzle"
local SEEN = "a fault in a script is to be seen, not caught"
local SHOWN = "to look at a value, stop with error(value)"
local PLAIN = "states are plain tables"

local function refuse(name, reason)
  return function() complain(name .. " is not available: " .. reason, 2) end
end

local reasons = {
  print = SHOWN, warn = SHOWN, pcall = SEEN, xpcall = SEEN,
  load = ONE_FILE, loadstring = ONE_FILE, loadfile = ONE_FILE, dofile = ONE_FILE, require = ONE_FILE,
  collectgarbage = CHANCE, setmetatable = PLAIN, getmetatable = PLAIN,
  rawget = PLAIN, rawset = PLAIN, rawequal = PLAIN, rawlen = PLAIN,
}
do
  local len, offset, codepoint = utf8.len, utf8.offset, utf8.codepoint
  globals.utf8.len = function(text, ...) return len(type(text) == "string" and read(text) or text, ...) end
  globals.utf8.offset = function(text, ...) return offset(type(text) == "string" and read(text) or text, ...) end
  globals.utf8.codepoint = function(text, ...) return several(codepoint(text, ...)) end
end
for name, reason in raw_next, reasons do globals[name] = refuse(name, reason) end
globals.math.random = refuse("math.random", CHANCE)
globals.math.randomseed = refuse("math.randomseed", CHANCE)
strings.dump = refuse("string.dump", ONE_FILE)

local LOOPS = "use functions and loops"
local libraries = { io = FILES, os = FILES, debug = SHOWN, coroutine = LOOPS, package = ONE_FILE }
for library, reason in raw_next, libraries do
  local function missing(_, name)
    complain(library .. "." .. text_of(name) .. " is not available: " .. reason, 2)
  end
  globals[library] = setmetatable({}, { __index = missing })
end

getmetatable("").__index = strings

-- Globals may be set while the script is loaded and in start, not later: they would carry over from one call
-- to the next, and results would depend on the order of calls.
local sealed = false
local function guarded(functions, prefix, remedy)
  return setmetatable({}, {
    __index = functions,
    __newindex = function(_, name, value)
      if sealed then complain(prefix .. text_of(name) .. " is set outside of start: " .. remedy, 2) end
      functions[name] = value
    end,
  })
end
for _, library in ipairs({ "math", "utf8", "string", "table" }) do
  globals[library] = guarded(globals[library], "the function " .. library .. ".", "use a local of your own")
end
local environment = guarded(globals, "the global ", "write local before it")

-- What plymap joins to the left of each chain of `..`.
local guard = setmetatable({}, { __concat = function(_, text)
  if #text > SHORT then made(text, "`..`") end
  return text
end })

return environment, function() sealed = true end, guard
