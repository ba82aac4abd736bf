import { middleware } from '#start/kernel'
import type { Purpose } from '#pages/reauthentication/purposes'

/* Each form declares why it asks for reauthentication, or why it asks for none. */

/** @param purpose of the form, or null for a request that needs none */
export function reauthenticated(purpose: Purpose) {
  return middleware.reauthentication({ purpose })
}

/** @param none why no reauthentication is needed, for the reader of the route */
export function exempt(none: string) {
  return middleware.reauthentication({ none })
}

export function revokes() {
  return exempt('it only takes access away')
}
