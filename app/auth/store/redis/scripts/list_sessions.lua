#!lua flags=allow-oom
-- Reads all sessions of a user.
--
-- KEYS  1 index of the user's sessions
-- ARGV  1 prefix of the user's session hashes
-- Reply fields and values of each hash; empty for a hash that is gone
--
-- Atomic: the list is that of one moment, without a session that ends meanwhile.
local sessions = {}
for _, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  sessions[#sessions + 1] = redis.call('HGETALL', ARGV[1] .. id)
end
return sessions
