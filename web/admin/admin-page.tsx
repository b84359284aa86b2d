// The administration page.
import type { ComponentChildren } from 'preact';
import { urlFor } from '../shell/router.ts';
import { isAdmin } from '../shell/session.ts';
import { useTitle } from '../shell/use-title.ts';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Engines } from './engines.tsx';
import { Overview } from './overview.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const TABS: readonly Tab[] = [
  { id: 'overview', label: 'Overview', href: urlFor.admin('overview') },
  { id: 'users', label: 'Users', href: urlFor.admin('users') },
  { id: 'tokens', label: 'Tokens', href: urlFor.admin('tokens') },
  { id: 'sessions', label: 'Sessions', href: urlFor.admin('sessions') },
  { id: 'engines', label: 'Engines and queues', href: urlFor.admin('engines') },
  { id: 'webhooks', label: 'Webhooks', href: urlFor.admin('webhooks') },
  { id: 'settings', label: 'Settings', href: urlFor.admin('settings') },
];

const VIEWS: Readonly<Record<string, () => ComponentChildren>> = {
  overview: () => <Overview />,
  users: () => <Users />,
  tokens: () => <Tokens />,
  sessions: () => <Sessions />,
  engines: () => <Engines />,
  webhooks: () => <Webhooks />,
  settings: () => <Settings />,
};

/** The tabs of administrators; users who are not administrators see only their own tokens. */
export function AdminPage({ tab }: { tab: string }) {
  useTitle(isAdmin() ? String(TABS.find(({ id }) => id === tab)?.label ?? 'Overview') : 'My tokens');
  if (!isAdmin())
    return (
      <div class="admin-page">
        <Tokens />
      </div>
    );
  return (
    <div class="admin-page">
      <Tabs tabs={TABS} current={tab} label="Administration" />
      {(VIEWS[tab] ?? VIEWS.overview)?.()}
    </div>
  );
}
