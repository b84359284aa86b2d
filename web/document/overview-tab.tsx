import { ShownVersionDocument } from '../generated/operations.ts';
import { ofDocument } from '../shell/live.ts';
import { useAsk } from '../shell/use-ask.ts';
import { Picture } from '../ui/picture.tsx';
import { Answer, Nothing } from '../ui/state.tsx';
import type { Shown } from './document-page.tsx';

/** A draft or version as it looks: its shape, its measures, its files. */
export function OverviewTab({ document, versionId }: { document: Shown; versionId: string }) {
  const asked = useAsk(ShownVersionDocument, { id: versionId }, ofDocument(document.id));
  return (
    <Answer of={asked}>
      {({ version }) =>
        version ? (
          <div class="overview">
            <Picture url={version.thumbnailUrl} kind={document.kind} size="large" />
          </div>
        ) : (
          <Nothing>There is no such version of this document; it may have been deleted with its workspace.</Nothing>
        )
      }
    </Answer>
  );
}
