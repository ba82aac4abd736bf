#!lua
-- Starts a session. It replaces the session of the same explicit device id, and the oldest
-- sessions above the limit end.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 prefix of the user's session hashes, 3 device id,
--       4 sessions that a user may have, 5 createdAt (ms), 6 expiresAt (ms),
--       7... fields and values of the hash
-- Reply the sessions that ended: id, expiresAt and client of each, one after the other
--
-- Atomic: logins that arrive at once cannot pass the limit together.
-- include: remove_session
local ended = {}
local function endSession(id)
  removeSession(KEYS[1], ARGV[2] .. id, id, ended)
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local device = redis.call('HGET', ARGV[2] .. id, 'deviceId')
  if not device or (device == ARGV[3] and device ~= 'default') then endSession(id) end
end
redis.call('HSET', KEYS[2], unpack(ARGV, 7))
redis.call('PEXPIREAT', KEYS[2], ARGV[6])
redis.call('ZADD', KEYS[1], ARGV[5], ARGV[1])
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[6]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[6])
end
local surplus = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if surplus > 0 then
  for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, surplus - 1)) do endSession(id) end
end
return ended
