// File input by drag and drop or by a button.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ActionButton, type Permission } from '../ui/action-button.tsx';
import { Icon } from '../ui/icon.tsx';

type DropZoneProps = {
  onFiles: (files: File[]) => void;
  /** What dropping does, e.g. "Drop to create documents". */
  label: string;
  /** Why files cannot be dropped; null or undefined if they can. */
  disabledReason?: string | null;
  class?: string;
  children: ComponentChildren;
};

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Accepts files dropped on its children, and shows the label while files are dragged over them. */
export function DropZone({ onFiles, label, disabledReason = null, class: className = '', children }: DropZoneProps) {
  const [over, setOver] = useState(false);
  const depth = useRef(0); // dragenter of a child fires before dragleave of its parent
  const reset = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons do the same for keyboard users
    <div
      class={`drop-zone ${className}`}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) reset();
      }}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = disabledReason ? 'none' : 'copy';
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        reset();
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!disabledReason && files.length > 0) onFiles(files);
      }}
    >
      {children}
      {over && (
        <div class={`drop-here ${disabledReason ? 'refused' : ''}`}>
          <Icon name={disabledReason ? 'warning' : 'upload'} /> {disabledReason ?? label}
        </div>
      )}
    </div>
  );
}

type FilePickerProps = {
  label: string;
  accept?: string;
  multiple?: boolean;
  permission?: Permission;
  onFiles: (files: File[]) => void;
  class?: string;
  iconOnly?: true;
};

/** A button that opens the file dialog. With `iconOnly`, only screen readers see the label. */
export function FilePicker({
  label,
  accept,
  multiple = false,
  permission,
  onFiles,
  class: className = '',
  iconOnly,
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ActionButton permission={permission} class={className} icon="upload" onClick={() => input.current?.click()}>
        {iconOnly ? <span class="visually-hidden">{label}</span> : label}
      </ActionButton>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
