#!lua flags=allow-oom
-- Reads one session.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id
-- Reply fields and values of the hash; empty when the session is not alive
--
-- Atomic: the hash is returned only if the index has the session at that moment.
-- include: is_alive
if not isAlive(KEYS[1], KEYS[2], ARGV[1]) then return {} end
return redis.call('HGETALL', KEYS[2])
