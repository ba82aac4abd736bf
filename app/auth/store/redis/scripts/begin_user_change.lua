#!lua flags=allow-oom
-- Marks a user as changing, before a transaction that changes them is committed: no version is
-- leased from now on. Ends the sessions that the transaction ends.
--
-- KEYS  1 lease of the user, 2 index of the user's sessions
-- ARGV  1 writer (UUID of the transaction), 2 lifetime (ms), 3 prefix of the user's session hashes,
--       4... ids of the sessions
-- Reply OK
--
-- Atomic: it adds the writer to those who are changing the user already, and no other script
-- sees some of the sessions ended and others not.
-- include: open_writers
-- include: remove_session
for at = 4, #ARGV do removeSession(KEYS[2], ARGV[3] .. ARGV[at], ARGV[at]) end
return beginChange(KEYS[1], ARGV[1], ARGV[2])
