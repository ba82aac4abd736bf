import { external } from './external.ts'
import { passkey } from './passkey.ts'
import { password } from './password.ts'
import type { MethodTraits, VerifiedMethod, SignInMethod } from './sign_in_method.ts'

export const METHODS = { password, passkey, external } satisfies {
  [M in SignInMethod]: MethodTraits<M>
}

export const METHOD_LIST: MethodTraits[] = Object.values(METHODS)

/** No provider may be named `password` or `passkey` (`app/setup/environment/oidc_clients.ts`). */
export function methodNamed(name: string): MethodTraits {
  return METHOD_LIST.find((method) => method.name === name) ?? METHODS.external
}

export function traitsOf({ method }: VerifiedMethod): MethodTraits {
  return METHODS[method]
}

export function areGuessable(verifiedMethods: VerifiedMethod[]) {
  return verifiedMethods.every((method) => traitsOf(method).isGuessable)
}

export function areMultiFactor(verifiedMethods: VerifiedMethod[]) {
  return verifiedMethods.some((method) => traitsOf(method).isMultiFactor)
}

export function amrOf(verifiedMethods: VerifiedMethod[], { hasCode }: { hasCode: boolean }) {
  const amr = verifiedMethods.flatMap((method) => traitsOf(method).amr(method))
  return hasCode && !areMultiFactor(verifiedMethods) ? [...amr, 'otp', 'mfa'] : amr
}
