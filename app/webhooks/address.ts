import { mayBeCalled } from '#network/outbound_hosts'
import { forbiddenAddress } from './errors.ts'

/**
 * A password in an address would reach the logs of receivers, and a fragment is never sent.
 * @throws a validation error for an address that is never called
 */
export function canonicalAddress(text: string) {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.hash || !mayBeCalled(url))
    throw forbiddenAddress()
  return url.href === `${text}/` ? text : url.href
}
