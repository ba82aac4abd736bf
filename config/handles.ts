/**
 * Applications grant rights to accounts by name, and JupyterHub makes Unix accounts of the names.
 * The following names of roles and systems are not given to users who sign up.
 */
const RESERVED = `
  abuse account accounts admin administration administrator admins all anonymous apache api apt
  auth authentication backup billing bin board bot ceo cfo cio ciso compliance console contact
  cto daemon dashboard db dba default devops docker docs everybody everyone finance ftp games
  gatehouse gateway ghost git gitea gitlab gnats grafana group groups guest guests help helpdesk
  host hostmaster hr http httpd https imap info internal irc it jenkins jovyan jupyter kernel
  kubernetes ldap legal list localhost login logout lp mail mailer mailerdaemon man management
  manager messagebus mod moderator moderators mysql network news nginx nobody none noreply
  notifications ns ntp null oauth official oidc openid operator operators ops oracle owner owners
  payments pop postfix postgres postgresql postmaster poweruser ppp press privacy proxy public
  rabbitmq redis register robot root rpc sa sales samba saml scim security self service services
  settings setup shutdown signin signup smtp ssh sshd ssl sso staff status su sudo super
  superadmin superuser support sync sys sysadmin sysop system systemadmin systemd systems team
  teams tftp tomcat undefined unknown user username users uucp webadmin webmaster websupport
  wheel www wwwdata`

export default {
  reserved: new Set(RESERVED.trim().split(/\s+/)),

  /** For simultaneous requests for the same name: each attempt tries other numbers. */
  attempts: 5,
}
