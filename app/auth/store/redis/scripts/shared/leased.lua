-- leased(lease, current, database): the version that a lease names, or false unless it was
-- granted under the current incarnation of Redis and this one of the database.
local function leased(lease, current, database)
  local prefix = current .. '|' .. database .. '|'
  if database == '' or string.sub(lease, 1, #prefix) ~= prefix then return false end
  return string.sub(lease, #prefix + 1)
end
