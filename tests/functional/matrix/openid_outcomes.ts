import type { STEPS } from './openid_steps.ts'

export type Outcomes = Record<keyof typeof STEPS, string>

/** Of each step after an event that ends and refuses nothing. */
export const OPEN: Outcomes = {
  'the sign-in': 'code',
  'the second factor': 'code',
  'the choice of an account': 'code',
  'the consent': 'code',
  'the consent to a claim': 'code',
  'the code of an address': 'code',
  'another authorization': 'code',
  'a pushed request': 'code',
  'the code': 'good',
  'the refresh': 'good',
  'userinfo': 'good',
  'the logout': '200 /oauth/logout',
  'the API': '200',
  'introspection': 'active: true',
  'introspection of an API token': 'active: true',
  'introspection of a token for others': 'active: true',
  'the sign-in for a device': '200 /oauth/device',
  'the consent for a device': '200, good',
  'the poll of a device': 'good',
}
