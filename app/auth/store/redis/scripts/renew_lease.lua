#!lua flags=allow-oom
-- Leases a version of the user that the database has just named.
--
-- KEYS  1 lease of the user
-- ARGV  1 lease and 2 incarnation, as token_status.lua returned them before the database
--       was asked; 3 incarnation of the database and 4 version, as it named them in one
--       statement; 5 lifetime (ms)
-- Reply 1 when the lease was renewed, 0 when it was not
--
-- Atomic: it compares and sets. The answer of the database may be older than a change that
-- began after the question; then the lease differs from ARGV[1] and stays as it is. While a
-- change is under way (`!`), nothing is leased.
-- include: incarnation
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] or string.sub(ARGV[1], 1, 1) == '!' then return 0 end
if incarnation() ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[2] .. '|' .. ARGV[3] .. '|' .. ARGV[4], 'PX', ARGV[5])
return 1
