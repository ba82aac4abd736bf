#!lua
-- Notes that the user of a session has reauthenticated.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id, 2 methods (amr), 3 time (ms)
-- Reply 1 when it was noted, 0 when the session is not alive
--
-- Atomic: HSET after a check from outside could create the hash of an ended session again.
-- include: is_alive
if not isAlive(KEYS[1], KEYS[2], ARGV[1]) then return 0 end
redis.call('HSET', KEYS[2], 'amr', ARGV[2], 'authenticatedAt', ARGV[3])
return 1
