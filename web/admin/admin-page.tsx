import { addressOf } from '../shell/addresses.ts';
import { isAdmin } from '../shell/session.ts';
import { useTitle } from '../shell/title.ts';
import { type Tab, Tabs } from '../ui/tabs.tsx';
import { Engines } from './engines.tsx';
import { Tokens } from './tokens.tsx';
import { Users } from './users.tsx';
import { Webhooks } from './webhooks.tsx';

const PARTS: readonly Tab[] = [
  { id: 'users', label: 'Users', href: addressOf.admin('users') },
  { id: 'tokens', label: 'Tokens', href: addressOf.admin('tokens') },
  { id: 'engines', label: 'Engines and queues', href: addressOf.admin('engines') },
  { id: 'webhooks', label: 'Webhooks', href: addressOf.admin('webhooks') },
];

const TITLES = new Map<string, string>([
  ['tokens', 'Tokens'],
  ['engines', 'Engines and queues'],
  ['webhooks', 'Webhooks'],
]);

/** Users, tokens, engines and webhooks; whoever is no administrator sees the tokens that are theirs. */
export function AdminPage({ part }: { part: string }) {
  useTitle(isAdmin() ? (TITLES.get(part) ?? 'Users') : 'My tokens');
  if (!isAdmin())
    return (
      <div class="admin-page">
        <Tokens />
      </div>
    );
  return (
    <div class="admin-page">
      <Tabs tabs={PARTS} current={part} label="Administration" />
      {part === 'tokens' ? (
        <Tokens />
      ) : part === 'engines' ? (
        <Engines />
      ) : part === 'webhooks' ? (
        <Webhooks />
      ) : (
        <Users />
      )}
    </div>
  );
}
