// One statement counts and decides, so that parallel guesses share one bound. The statement returns
// a row only to a caller that may try.
export const RESERVE = `
  INSERT INTO login_attempts AS a (count_key, attempts, expires_at, reservations)
  VALUES (:countKey, 1, :windowEnd, :id)
  ON CONFLICT (count_key) DO UPDATE SET
    attempts = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL THEN 1
                    ELSE a.attempts + 1 END,
    expires_at = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL
                      THEN excluded.expires_at ELSE a.expires_at END,
    reservations = CASE WHEN a.expires_at <= :now OR a.locked_until IS NOT NULL
                        THEN excluded.reservations
                        ELSE a.reservations || excluded.reservations END,
    locked_until = NULL
  WHERE (a.locked_until IS NULL AND (a.expires_at <= :now OR a.attempts < :threshold))
     OR a.locked_until <= :now
  RETURNING attempts`

/** An attempt that was not counted, or was returned before, changes nothing. */
export const RETURN = `
  UPDATE login_attempts
  SET attempts = attempts - 1, reservations = replace(reservations, :id, '')
  WHERE count_key = :countKey AND attempts > 0 AND locked_until IS NULL
    AND reservations LIKE :holdsId
  RETURNING count_key`

export const LOCK = `
  INSERT INTO login_attempts AS a (count_key, attempts, expires_at, locked_until)
  VALUES (:countKey, 0, :until, :until)
  ON CONFLICT (count_key) DO UPDATE SET locked_until = excluded.locked_until
  WHERE a.locked_until IS NULL OR a.locked_until <= :now
  RETURNING count_key`

export const marked = (id: string) => `${id}.`
