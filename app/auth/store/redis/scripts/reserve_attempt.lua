#!lua
-- Reserves one login attempt of the window, before the password is evaluated.
--
-- KEYS  1 attempts of an e-mail, a known device or a user's codes
-- ARGV  1 attempts that a window allows, 2 length of the window (ms), 3 now (ms),
--       4 id of the attempt
-- Reply { 'reserved', number of the attempt }, { 'exhausted', end of the window (ms) } or
--       { 'locked', end of the lock (ms) }
--
-- Atomic: it compares and counts in one step, which stops an attacker who sends many
-- passwords at once from having more of them evaluated than the window allows.
local now = tonumber(ARGV[3])
local row = redis.call('HMGET', KEYS[1], 'attempts', 'expiresAt', 'lockedUntil')
if row[3] and tonumber(row[3]) > now then return { 'locked', row[3] } end
if row[3] or not row[1] or tonumber(row[2]) <= now then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'attempts', 1, 'expiresAt', now + ARGV[2], 'id:' .. ARGV[4], 1)
  redis.call('PEXPIREAT', KEYS[1], now + ARGV[2])
  return { 'reserved', '1' }
end
if tonumber(row[1]) >= tonumber(ARGV[1]) then return { 'exhausted', row[2] } end
redis.call('HSET', KEYS[1], 'id:' .. ARGV[4], 1)
return { 'reserved', tostring(redis.call('HINCRBY', KEYS[1], 'attempts', 1)) }
