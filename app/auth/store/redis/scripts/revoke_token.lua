#!lua flags=allow-oom
-- Revokes one access token: a field of its session refuses it until it expires. Fields of
-- tokens that have expired are deleted.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 token id, 3 expiry of the token (ms), 4 now (ms)
-- Reply 1 when the token was revoked, 0 when its session is not alive
--
-- Atomic: HSET after a check from outside could create the hash of an ended session again.
-- include: is_alive
if not isAlive(KEYS[1], KEYS[2], ARGV[1]) then return 0 end
local fields = redis.call('HGETALL', KEYS[2])
for at = 1, #fields, 2 do
  local isRevocation = string.sub(fields[at], 1, 8) == 'revoked:'
  if isRevocation and tonumber(fields[at + 1]) <= tonumber(ARGV[4]) then
    redis.call('HDEL', KEYS[2], fields[at])
  end
end
redis.call('HSET', KEYS[2], 'revoked:' .. ARGV[2], ARGV[3])
return 1
