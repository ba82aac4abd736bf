#!lua flags=allow-oom
-- Undoes the lock of a change that was rolled back after it was sent.
--
-- KEYS  1 attempts of an e-mail
-- ARGV  1 id of the lock
-- Reply 1 when it was undone, 0 when another lock or none is there
--
-- Atomic: it compares and deletes, so that a lock of a later change stays.
if redis.call('HGET', KEYS[1], 'lockId') ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
