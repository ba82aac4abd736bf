#!lua
-- Starts a session, and names the sessions that end with it: that of the same explicit device id,
-- and the oldest above the limit. They end before the commit (end_sessions.lua).
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 prefix of the user's session hashes, 3 device id,
--       4 sessions that a user may have, 5 createdAt (ms), 6 expiresAt (ms),
--       7 ids of sessions that this transaction has ended, with a space after each,
--       8... fields and values of the hash
-- Reply id, expiresAt and client of each session that ends, one after the other
--
-- Atomic: logins that arrive at once cannot pass the limit together.
redis.call('HSET', KEYS[2], unpack(ARGV, 8))
redis.call('PEXPIREAT', KEYS[2], ARGV[6])
redis.call('ZADD', KEYS[1], ARGV[5], ARGV[1])
if redis.call('PEXPIRETIME', KEYS[1]) < tonumber(ARGV[6]) then
  redis.call('PEXPIREAT', KEYS[1], ARGV[6])
end
local ends, kept = {}, {}
local function add(list, id, fields)
  list[#list + 1] = { id, fields[1], fields[2] or '' }
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local fields = redis.call('HMGET', ARGV[2] .. id, 'expiresAt', 'clientId', 'deviceId')
  local isReplaced = fields[3] == ARGV[3] and ARGV[3] ~= 'default' and id ~= ARGV[1]
  if not fields[1] then
    redis.call('ZREM', KEYS[1], id)
  elseif not ARGV[7]:find(id .. ' ', 1, true) then
    add(isReplaced and ends or kept, id, fields)
  end
end
for at = 1, #kept - tonumber(ARGV[4]) do ends[#ends + 1] = kept[at] end
local reply = {}
for _, session in ipairs(ends) do
  for _, value in ipairs(session) do reply[#reply + 1] = value end
end
return reply
