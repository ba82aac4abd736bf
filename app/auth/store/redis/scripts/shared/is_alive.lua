-- isAlive(index, session, sessionId): whether both the hash of the session and its entry
-- in the index of the user exist. A session of which Redis evicted one part is refused.
local function isAlive(index, session, sessionId)
  return redis.call('ZSCORE', index, sessionId) and redis.call('EXISTS', session) == 1
end
