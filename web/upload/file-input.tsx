// File input by drag and drop or by a button.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ActionButton, type Permission } from '../ui/action-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { draggingFiles, dropTarget } from './file-drop.ts';

type DropZoneProps = {
  onFiles: (files: File[]) => void;
  /** What dropping does, e.g. "Drop to create documents". */
  label: string;
  /** Why files cannot be dropped; null or undefined if they can. */
  disabledReason?: string | null;
  class?: string;
  children: ComponentChildren;
};

/** Takes files that are dropped anywhere on the page, and shows the label while files are dragged over it. */
export function DropZone({ onFiles, label, disabledReason = null, class: className = '', children }: DropZoneProps) {
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const target = { label, disabledReason, onFiles: (files: File[]) => latest.current(files) };
    dropTarget.value = target;
    return () => {
      if (dropTarget.value === target) dropTarget.value = null;
    };
  }, [label, disabledReason]);
  return (
    <div class={`drop-zone ${className}`}>
      {children}
      {draggingFiles.value && (
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
        <span class={iconOnly ? 'visually-hidden' : ''}>{label}</span>
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
