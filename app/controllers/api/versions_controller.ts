import { E_UNSUPPORTED_VERSION } from '#auth/errors'

/** What is asked for in a version that it does not exist in. */
export default class VersionsController {
  refuse() {
    throw new E_UNSUPPORTED_VERSION()
  }
}
