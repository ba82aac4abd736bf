#!lua flags=allow-oom
-- Ends one session.
--
-- KEYS  1 index of the user's sessions, 2 session hash
-- ARGV  1 session id
-- Reply id, expiresAt and client of the session; empty when it was not alive
--
-- Atomic: of two callers that end a session one is told so, and no other script sees half
-- of it.
-- include: is_alive
-- include: remove_session
local wasAlive = isAlive(KEYS[1], KEYS[2], ARGV[1])
local ended = {}
removeSession(KEYS[1], KEYS[2], ARGV[1], ended)
return wasAlive and ended or {}
