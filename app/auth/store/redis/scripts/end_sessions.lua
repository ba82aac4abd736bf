#!lua flags=allow-oom
-- Ends sessions of a user.
--
-- KEYS  1 index of the user's sessions
-- ARGV  1 prefix of the user's session hashes, 2... ids of the sessions
-- Reply how many ids there were
--
-- Atomic: no other script sees some of them ended and others not.
-- include: remove_session
for at = 2, #ARGV do removeSession(KEYS[1], ARGV[1] .. ARGV[at], ARGV[at]) end
return #ARGV - 1
