/** Whom an event is about, by default: a user by their id, or nobody. */
type Subject = { id: string } | null

type None = Record<string, never>

interface Given {
  /** Names what mails about the event need of its user; otherwise `Subject`. */
  user?: object | null
  /** What the trail keeps. No password, token, code or secret. */
  details?: object
  /** What subscribers need and the trail does not keep. */
  context?: object
}

interface Shape<G extends Given> {
  user: G extends { user: infer User } ? User : Subject
  details: G extends { details: infer Details } ? Details : None
  context: G extends { context: infer Context } ? Context : None
}

export interface Definition<G extends Given, IsAudited extends boolean = true> {
  /** Whether receivers outside may get it. */
  isPublic: boolean
  /** Whether the audit trail keeps it. */
  isAudited: IsAudited
  /** For the compiler alone. */
  shape?: Shape<G>
}

export function publicEvent<G extends Given = object>(): Definition<G> {
  return { isPublic: true, isAudited: true }
}

export function privateEvent<G extends Given = object>(): Definition<G> {
  return { isPublic: false, isAudited: true }
}

/** An event for subscribers alone: the trail keeps its cause. */
export function unauditedEvent<G extends Given>(): Definition<G, false> {
  return { isPublic: false, isAudited: false }
}
