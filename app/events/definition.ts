type Subject = { id: string } | null

type None = Record<string, never>

interface EventParts {
  /** The members that mails about the event need; by default `Subject`. */
  user?: object | null
  /** No password, token, code or secret: the trail keeps the details. */
  details?: object
  /** For subscribers: the trail does not keep it. */
  context?: object
}

interface Shape<G extends EventParts> {
  user: G extends { user: infer User } ? User : Subject
  details: G extends { details: infer Details } ? Details : None
  context: G extends { context: infer Context } ? Context : None
}

export interface Definition<
  G extends EventParts,
  IsPublic extends boolean,
  IsAudited extends boolean = true,
> {
  /** Webhooks send it, under the type that `app/webhooks/types/public_types.ts` names. */
  isPublic: IsPublic
  isAudited: IsAudited
  /** Only for the compiler. */
  shape?: Shape<G>
}

export function publicEvent<G extends EventParts = object>(): Definition<G, true> {
  return { isPublic: true, isAudited: true }
}

export function privateEvent<G extends EventParts = object>(): Definition<G, false> {
  return { isPublic: false, isAudited: true }
}

/** Only for subscribers: the trail records its cause. */
export function unauditedEvent<G extends EventParts>(): Definition<G, false, false> {
  return { isPublic: false, isAudited: false }
}
