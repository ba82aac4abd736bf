import { E_UNSUPPORTED_VERSION } from '#exceptions/http_errors'

/** What is asked for in a version that it does not exist in. */
export default class VersionsController {
  refuse() {
    throw new E_UNSUPPORTED_VERSION()
  }
}
