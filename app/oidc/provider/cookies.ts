import { interactionCookieName } from '#config/cookies'

export const COOKIES = {
  interaction: interactionCookieName('interaction'),
  resume: interactionCookieName('resume'),
  /** Never sent (`patches/web_session.ts`). */
  session: interactionCookieName('provider_session'),
}
