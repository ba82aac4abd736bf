import applications from './limits/applications.ts'
import backups from './limits/backups.ts'
import clients from './limits/clients.ts'
import configuration from './limits/configuration.ts'
import mails from './limits/mails.ts'
import queues from './limits/queues.ts'
import signIn from './limits/sign_in.ts'
import sizes from './limits/sizes.ts'
import users from './limits/users.ts'
import webhook from './limits/webhook.ts'

// Each limit names its attack. A limit with a window counts requests for a key; 0 switches it off.
// No file may have the name of a limit: the framework would replace the limit by the file's export.
export default {
  ...signIn,
  ...users,
  ...mails,
  ...applications,
  ...clients,
  ...queues,
  ...sizes,
  ...configuration,
  ...backups,
  ...webhook,
}
