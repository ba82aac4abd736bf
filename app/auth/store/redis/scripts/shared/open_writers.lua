-- nowMs(): the time of this server, in milliseconds since the epoch.
local function nowMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- openWriters(lease, now): the deadline of each writer who has begun a change and not ended
-- it. One whose deadline has passed died, and counts no more.
local function openWriters(lease, now)
  local writers = {}
  if string.sub(lease, 1, 1) ~= '!' then return writers end
  for writer, deadline in string.gmatch(lease, '([%x-]+)=(%d+)') do
    if tonumber(deadline) > now then writers[writer] = tonumber(deadline) end
  end
  return writers
end

-- markChanging(key, writers, now): marks the user as changing, until the last deadline.
local function markChanging(key, writers, now)
  local marks, last = {}, now
  for writer, deadline in pairs(writers) do
    marks[#marks + 1] = string.format('%s=%.0f', writer, deadline)
    last = math.max(last, deadline)
  end
  return redis.call('SET', key, '!' .. table.concat(marks, ','), 'PX', last - now)
end

-- beginChange(key, writer, lifetime): adds the writer to those who are changing the user.
local function beginChange(key, writer, lifetime)
  local now = nowMs()
  local writers = openWriters(redis.call('GET', key) or '', now)
  writers[writer] = now + lifetime
  return markChanging(key, writers, now)
end
