/* Reasons for losses of kinds in several files. */

export const IN_REDIS = 'Sessions are in Redis alone: after its loss users sign in again'
export const LOST_COMMIT =
  'The standby never received the commit: the log tells it, and it is done again'
export const NO_CLIENTS = 'Clients belong to an installation: they are registered there'

export const NO_SESSIONS = 'Sessions belong to an installation: users sign in again'
