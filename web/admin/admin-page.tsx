// The administration page.
import { urlFor } from '../shell/router.ts';
import { isAdmin } from '../shell/session.ts';
import { useTitle } from '../shell/use-title.ts';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Engines } from './engines.tsx';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const TABS: readonly Tab[] = [
  { id: 'users', label: 'Users', href: urlFor.admin('users') },
  { id: 'tokens', label: 'Tokens', href: urlFor.admin('tokens') },
  { id: 'engines', label: 'Engines and queues', href: urlFor.admin('engines') },
  { id: 'webhooks', label: 'Webhooks', href: urlFor.admin('webhooks') },
];

const TITLES = new Map<string, string>([
  ['tokens', 'Tokens'],
  ['engines', 'Engines and queues'],
  ['webhooks', 'Webhooks'],
]);

function AdminTab({ tab }: { tab: string }) {
  if (tab === 'tokens') return <Tokens />;
  if (tab === 'engines') return <Engines />;
  return tab === 'webhooks' ? <Webhooks /> : <Users />;
}

/** Users, tokens, engines and webhooks; users who are not administrators see only their own tokens. */
export function AdminPage({ tab }: { tab: string }) {
  useTitle(isAdmin() ? (TITLES.get(tab) ?? 'Users') : 'My tokens');
  if (!isAdmin())
    return (
      <div class="admin-page">
        <Tokens />
      </div>
    );
  return (
    <div class="admin-page">
      <Tabs tabs={TABS} current={tab} label="Administration" />
      <AdminTab tab={tab} />
    </div>
  );
}
